/**
 * Connects the two stages of the webhook inbox. A stored webhook gets a row in the lane of every number that it is
 * about, in the order of arrival. Readers then process lane by lane.
 */
import type { App } from '../../application/app.js';
import { isHistoryLane } from '../../application/provider-webhook/lanes.js';
import { laneKey, messageName, type WebhookPointer } from '../../application/relay.js';
import { intakeStream } from '../../domain/streams.js';
import type { DueEntry } from '../../ports/due-times.js';
import type { TopicMessage } from '../../ports/topics.js';
import { partsOf } from './webhook.js';

/** Queue of webhooks to be read, by lane. */
export const INBOUND_UPDATES = 'inbound-updates';
/** Queue with one row for each non-empty lane: the process that claims the row is the only one that reads the lane. */
export const INBOUND_LANES = 'inbound-lanes';

/**
 * Lanes in different pools do not delay each other: imports of history and a slow provider must not delay customers'
 * messages.
 */
export type Pool = 'numbers' | 'histories' | 'accounts';

/** Clocks of processes differ by at most a second, and no row here is scheduled for later. */
const AHEAD_MS = 1_000;

export const dueAtOnce = ({ clock }: Pick<App, 'clock'>): number => clock.now() - AHEAD_MS;

export async function handOn(
  app: Pick<App, 'clock' | 'codec' | 'dueTimes' | 'store'>,
  batch: readonly TopicMessage[],
): Promise<void> {
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
  // Lanes last: a process that finds a lane's row also finds the webhooks in the lane.
  await app.dueTimes.schedule([...rows, ...laneRows(new Set(rows.map(({ lane }) => lane)), dueAt)]);
}

export const laneRows = (lanes: Iterable<string>, dueAt: number): readonly DueEntry[] =>
  [...lanes].map((lane) => ({ queue: INBOUND_LANES, id: lane, lane: poolOf(lane), dueAt, payload: {} }));

function poolOf(lane: string): Pool {
  if (isHistoryLane(lane)) return 'histories';
  return intakeStream.match(lane) === undefined ? 'numbers' : 'accounts';
}
