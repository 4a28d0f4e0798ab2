/** Polls until a condition holds: the way to wait for asynchronous work. */
import { systemClock } from '../../../adapters/clock/system.js';
import { pause } from '../../../ports/waiting.js';
import type { DrivenClock } from './driven-clock.js';
import { REAL_STACK } from './stack.js';

const EVERY_MS = 15;
/**
 * Upper bound of the growing poll interval. Polling faster in dozens of tests at once would cost more than the work
 * itself.
 */
const LONGEST_PAUSE_MS = 120;
/** Step of a driven clock between two polls: short enough for calls over sockets to complete in time. */
const PASSING_MS = 250;
/** Factor for timeouts: servers on a busy machine may be slow, and slowness alone must not fail a test. */
const PATIENCE = REAL_STACK ? 8 : 4;
/** For `this.timeout` of a file. An unmet condition fails with its own message long before that. */
export const TEST_TIMEOUT_MS = 600_000;

const moving = new WeakMap<DrivenClock, Promise<void>>();

/** Concurrent waiters share one clock step, so that time does not advance faster than the work in progress. */
function moveOn(clock: DrivenClock): Promise<void> {
  let move = moving.get(clock);
  if (!move) {
    move = clock
      .advance(PASSING_MS)
      .then(() => pause(systemClock, EVERY_MS))
      .finally(() => moving.delete(clock));
    moving.set(clock, move);
  }
  return move;
}

/**
 * Polls until `look` returns a value that is not undefined, null or false, and resolves with that value. An error of
 * `look` counts as "not yet"; the last error becomes the reason when the timeout expires.
 */
export async function eventually<T>(
  look: () => Promise<T> | T,
  options: {
    /** In the product's time when a clock is given. After that, polling continues for a while in real time. */
    readonly timeoutMs?: number;
    readonly what?: string;
    /** The clock to advance while the condition does not hold. */
    readonly clock?: DrivenClock | undefined;
  } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const { timeoutMs = 15_000, clock } = options;
  const deadline = performance.now() + PATIENCE * timeoutMs;
  let passed = 0;
  let between = EVERY_MS;
  for (;;) {
    let last: unknown;
    try {
      const value = await look();
      if (value !== undefined && value !== null && value !== false) {
        return value as NonNullable<Exclude<T, false>>;
      }
      last = value;
    } catch (error) {
      last = error;
    }
    if (performance.now() > deadline) {
      const reason = last instanceof Error ? last.message : String(last);
      throw new Error(`waited in vain for ${options.what ?? 'a condition'}: ${reason}`);
    }
    if (clock?.driven && passed < timeoutMs) {
      passed += PASSING_MS;
      await moveOn(clock);
    } else {
      await pause(systemClock, between);
      between = Math.min(LONGEST_PAUSE_MS, between * 1.2);
    }
  }
}
