/** The facts that the suites pass to their judges, and helpers to query them. */
import type { RecordedEvent } from '../../application/codec.js';
import type { DataFolder, Documents } from './data-folder.js';
import type { Forgotten } from './forgotten.js';
import type { AcceptedSend } from './integrator.js';
import type { Call, ProviderStandIn } from './provider.js';
import type { ReceiverStandIn, SeenEvent } from './receiver.js';
import { ENDPOINTS } from './workspace.js';

export interface Facts {
  readonly companyUuid: string;
  readonly accepted: readonly AcceptedSend[];
  readonly calls: readonly Call[];
  readonly keptWebhooks: ReadonlySet<string>;
  readonly inbound: readonly string[];
  readonly seen: ReadonlyMap<string, ReadonlyMap<string, SeenEvent>>;
  readonly endpoints: Readonly<Record<string, readonly string[] | null>>;
  /** Epoch milliseconds. */
  readonly kills: readonly number[];
  /**
   * Null when only one process at a time handled WhatsApp's webhooks and called WhatsApp. Otherwise the times at which
   * work may have moved between processes, in epoch milliseconds.
   */
  readonly handovers: readonly number[] | null;
  /** People whose erasure has completed. */
  readonly forgotten: readonly Forgotten[];
  readonly folder: DataFolder;
}

/** The observations of the stand-ins for the outside world. */
export const seenOutside = (
  provider: ProviderStandIn,
  receiver: ReceiverStandIn,
): Pick<Facts, 'calls' | 'keptWebhooks' | 'inbound' | 'seen' | 'endpoints'> => ({
  calls: provider.calls,
  keptWebhooks: provider.kept,
  inbound: provider.inbound,
  seen: receiver.seen,
  endpoints: ENDPOINTS,
});

export const byStream = (events: readonly RecordedEvent[]): ReadonlyMap<string, RecordedEvent[]> =>
  group(events, ({ record }) => record.stream);

export function group<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const same = groups.get(keyOf(item));
    if (same) same.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

export function document<T>(documents: Documents, collection: string, id: string): T | undefined {
  const text = documents.get(`${collection} ${id}`);
  if (text === undefined || text.endsWith(' removed')) return undefined;
  return JSON.parse(text.slice(text.indexOf(' ') + 1)) as T;
}
