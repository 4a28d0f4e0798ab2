import type { Clock } from '../../ports/clock.js';
import type { EventStore } from '../../ports/event-store.js';
import { recordsSince } from './records.js';

/**
 * Resolves when what was dated before the call is older than what will be: dates have milliseconds. Those of events may
 * be ahead of the clock (fakes/ticking-clock.ts).
 */
export async function nextMillisecond({
  clock,
  store,
}: {
  readonly clock: Pick<Clock, 'now'>;
  readonly store: EventStore;
}): Promise<void> {
  const dates = (await recordsSince(store)).map(({ meta }) => Date.parse(meta.occurred_at));
  const newest = Math.max(clock.now(), ...dates);
  while (clock.now() <= newest) await new Promise(setImmediate);
}
