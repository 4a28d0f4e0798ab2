import type { Clock } from '../../ports/clock.js';

/** Resolves when what was dated before the call is older than what will be: dates have milliseconds. */
export async function nextMillisecond(clock: Pick<Clock, 'now'>): Promise<void> {
  for (const begun = clock.now(); clock.now() <= begun;) await new Promise(setImmediate);
}
