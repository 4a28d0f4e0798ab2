/** Asks until the answer is there: the way to wait for something that happens in its own time. */
import { systemClock } from '../../../adapters/clock/system.js';
import { pause } from '../../../ports/waiting.js';
import type { DrivenClock } from './driven-clock.js';
import { REAL_STACK } from './stack.js';

const EVERY_MS = 15;
/** What takes seconds is asked for more rarely: dozens of questions at once cost more than what they wait for. */
const LONGEST_PAUSE_MS = 120;
/** Of a clock that is driven, between two looks: short enough for calls over sockets to come through in time. */
const PASSING_MS = 250;
/** Nothing fails for being slow: servers of their own on a machine with much else to do take their time. */
const PATIENCE = REAL_STACK ? 8 : 4;
/** For `this.timeout` of a file: conditions that are not met say so long before. */
export const TEST_TIMEOUT_MS = 600_000;

const moving = new WeakMap<DrivenClock, Promise<void>>();

/** Those who wait side by side share a move: time must not run away from what is under way. */
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
 * Resolves with the first value of `look` that is neither undefined nor null nor false. What `look` throws counts as
 * not yet, and is the reason given when time is up.
 */
export async function eventually<T>(
  look: () => Promise<T> | T,
  options: {
    /** Of the product's time, where a clock is given; what is not there by then has some more real time. */
    readonly timeoutMs?: number;
    readonly what?: string;
    /** Moved on while the condition is not met. */
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
