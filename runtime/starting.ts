/** Retries for a start that needs servers, which may themselves still be starting. */
import { StoreUnavailable } from '../ports/event-store.js';
import type { Clock } from '../ports/clock.js';
import { pause } from '../ports/waiting.js';

const AGAIN_MS = 500;

/**
 * Runs `work`, which must be safe to repeat, again after a StoreUnavailable until `withinMs` have passed.
 * @throws the last StoreUnavailable, or any other error at once
 */
export async function whileStarting<T>(
  clock: Pick<Clock, 'after'>,
  withinMs: number,
  work: () => Promise<T>,
): Promise<T> {
  let over = false;
  const cancel = clock.after(withinMs, () => (over = true));
  try {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (over || !(error instanceof StoreUnavailable)) throw error;
        await pause(clock, AGAIN_MS);
      }
    }
  } finally {
    cancel();
  }
}
