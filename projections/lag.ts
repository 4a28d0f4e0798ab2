/** Lag of the projections behind the history as a duration, which an operator can judge. */
import type { Clock } from '../ports/clock.js';
import type { EventStore, Position } from '../ports/event-store.js';
import type { ReadModels } from '../ports/read-models.js';
import { IN_STEP } from './in-step.js';
import { checkpointName, type AnyProjection } from './projection.js';

/** Events to read; enough to pass those that concern no projection. */
const LOOK_AHEAD = 50;

/**
 * Seconds since the oldest event that each projection has not applied; 0 for current projections.
 *
 * @param stopped names of failing projections: only these are behind the shared checkpoint
 */
export async function projectionLags(
  projections: readonly AnyProjection[],
  stopped: ReadonlySet<string>,
  deps: { readonly store: EventStore; readonly readModels: ReadModels; readonly clock: Clock },
): Promise<Readonly<Record<string, number>>> {
  const { store, readModels, clock } = deps;
  const lag = async (checkpoint: string): Promise<number> =>
    secondsBehind({ store, clock }, await readModels.checkpoint(checkpoint));
  const common = await lag(IN_STEP);
  const each = projections.map(async (projection): Promise<[string, number]> => {
    const behind = stopped.has(projection.name) ? await lag(checkpointName(projection)) : common;
    return [projection.name, behind];
  });
  return Object.fromEntries(await Promise.all(each));
}

/** Number of events after a position, counted up to `cap`. */
export async function eventsAfter(
  store: Pick<EventStore, 'readAll'>,
  position: Position,
  cap: number,
): Promise<number> {
  let after = position;
  for (let count = 0; ;) {
    const page = await store.readAll({ after, limit: Math.min(500, cap - count) });
    count += page.records.length;
    if (page.atEnd || count >= cap) return count;
    after = page.next;
  }
}

/** Age of the oldest event after a position, in seconds; 0 if there are no events. */
export async function secondsBehind(
  { store, clock }: { readonly store: Pick<EventStore, 'readAll'>; readonly clock: Pick<Clock, 'now'> },
  position: Position,
): Promise<number> {
  const { records } = await store.readAll({ after: position, limit: LOOK_AHEAD });
  const [oldest] = records;
  return oldest ? Math.max(0, clock.now() - Date.parse(oldest.meta.occurred_at)) / 1000 : 0;
}
