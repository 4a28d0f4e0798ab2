/**
 * Between the two stages of the intake: a webhook that was kept gets a row in the lane of every number it is about, in the
 * order in which webhooks came. Readers take lane by lane.
 */
import type { App } from '../../application/app.js';
import { isHistoryLane } from '../../application/provider-webhook/lanes.js';
import { laneKey, messageName, type WebhookPointer } from '../../application/relay.js';
import { intakeStream } from '../../domain/intake/stream.js';
import type { DueEntry } from '../../ports/due-times.js';
import type { TopicMessage } from '../../ports/topics.js';
import { partsOf } from './webhook.js';

/** Webhooks to be read, lane by lane. */
export const INBOUND_UPDATES = 'inbound-updates';
/** A row for each lane in which something lies: who claims it reads that lane, and nobody else. */
export const INBOUND_LANES = 'inbound-lanes';

/** What may hold up whom: a history or a provider that answers slowly must not take the place of customers' messages. */
export type Pool = 'numbers' | 'histories' | 'accounts';

/** Clocks of processes differ by a second at most, and nothing in here is for later. */
const AHEAD_MS = 1_000;

export const dueAtOnce = ({ clock }: Pick<App, 'clock'>): number => clock.now() - AHEAD_MS;

export async function handOn(app: App, batch: readonly TopicMessage[]): Promise<void> {
  const pointers = batch
    .map(({ value }) => value as WebhookPointer)
    .filter(({ stream }) => intakeStream.match(stream) !== undefined);
  const parts = (await Promise.all(pointers.map((pointer) => partsOf(app, pointer)))).flat();
  const dueAt = dueAtOnce(app);
  const rows = parts.map((value): DueEntry => ({
    queue: INBOUND_UPDATES,
    id: messageName(value),
    lane: laneKey(value),
    dueAt,
    payload: { value },
  }));
  // Lanes last: who finds one finds what lies in it.
  await app.dueTimes.schedule([...rows, ...laneRows(new Set(rows.map(({ lane }) => lane)), dueAt)]);
}

export const laneRows = (lanes: Iterable<string>, dueAt: number): readonly DueEntry[] =>
  [...lanes].map((lane) => ({ queue: INBOUND_LANES, id: lane, lane: poolOf(lane), dueAt, payload: {} }));

function poolOf(lane: string): Pool {
  if (isHistoryLane(lane)) return 'histories';
  return intakeStream.match(lane) === undefined ? 'numbers' : 'accounts';
}
