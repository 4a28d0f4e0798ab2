/** Opens a stored webhook and selects the updates that a pointer refers to. */
import { messageOf } from '../../ports/thrown.js';
import type { App } from '../../application/app.js';
import { webhookBody } from '../../application/intake.js';
import { laneOfUpdate, lanesOf } from '../../application/provider-webhook/lanes.js';
import { parseProviderWebhook } from '../../application/provider-webhook/parse.js';
import { webhookParts, type WebhookPointer } from '../../application/relay.js';
import type { IntakeEvent } from '../../domain/intake/events.js';
import { StoreUnavailable, type StoredRecord } from '../../ports/event-store.js';
import type { ProviderUpdate } from '../../ports/provider-webhook.js';

/** All of the pointer's updates, those from index `from` on, or the single one at `index`. */
export type UpdatePointer = WebhookPointer & { readonly from?: number; readonly index?: number };

export interface PlacedUpdate {
  /** Within the webhook. */
  readonly index: number;
  readonly update: ProviderUpdate;
  /** When the webhook came in, epoch milliseconds. */
  readonly receivedAt: number;
}

export interface OpenedWebhook {
  /** The updates that the pointer refers to. */
  readonly updates: readonly PlacedUpdate[];
  /** The reason why the body cannot be parsed; otherwise null. */
  readonly unreadable: string | null;
}

/** Null when its day's key was destroyed: it was read long ago, or its retention has ended. */
export async function openWebhook(
  app: Pick<App, 'codec' | 'store'>,
  pointer: UpdatePointer,
): Promise<OpenedWebhook | null> {
  const records = await readKept(app, pointer);
  const body = await bodyIn(app, records);
  if (body === null) return null;
  const receivedAt = Date.parse(records.at(-1)!.meta.occurred_at);
  try {
    const updates = parseProviderWebhook(JSON.parse(body.toString('utf8')));
    return {
      updates: updates
        .map((update, index) => ({ index, update, receivedAt }))
        .filter((one) => isMeant(pointer, one)),
      unreadable: null,
    };
  } catch (error) {
    const reason = messageOf(error);
    return { updates: [], unreadable: `not JSON: ${reason}` };
  }
}

/** Every update of a webhook belongs to exactly one of its parts, also when another release named the lanes. */
export function isMeant(
  { lane, others = [], part, from = 0, index: only }: UpdatePointer,
  { index, update }: Omit<PlacedUpdate, 'receivedAt'>,
): boolean {
  if (only !== undefined) return index === only;
  if (index < from) return false;
  const own = laneOfUpdate(update);
  return part === undefined ? !others.includes(own) : own === lane;
}

/**
 * The parts of a webhook that an older release, without lanes, stored or relayed. If its lanes cannot be determined,
 * the whole webhook is one part.
 * @throws StoreUnavailable
 */
export async function partsOf(
  app: Pick<App, 'codec' | 'store'>,
  pointer: WebhookPointer,
): Promise<readonly WebhookPointer[]> {
  if (pointer.lane !== undefined) return [pointer];
  try {
    const body = await bodyIn(app, await readKept(app, pointer));
    return webhookParts(pointer, body === null ? [] : lanesOf(JSON.parse(body.toString('utf8'))));
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    return [pointer];
  }
}

const readKept = (app: Pick<App, 'store'>, pointer: WebhookPointer): Promise<readonly StoredRecord[]> =>
  app.store.read(pointer.stream, { limit: pointer.revision + 1 });

async function bodyIn(app: Pick<App, 'codec'>, records: readonly StoredRecord[]): Promise<Buffer | null> {
  const kept = await app.codec.decodeAll<IntakeEvent>(records);
  return webhookBody(kept.map(({ event }) => event));
}
