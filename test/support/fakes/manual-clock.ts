/** A clock that stands still until a test advances it. */
import type { Clock } from '../../../ports/clock.js';

export interface ManualClock extends Clock {
  /** Advances the time and runs due tasks in order. After each task it waits for some event-loop ticks. */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock forwards or backwards: no time passes, and no timer fires. */
  stepWall(ms: number): void;
  /** Number of scheduled tasks. */
  pending(): number;
}

interface Timer {
  readonly at: number;
  readonly task: () => void;
}

const TURNS = 10;
const MOST_TURNS = 200;
/** Far more tasks than any test has at one moment. */
const MOST_AT_ONE_MOMENT = 5_000;

export async function turns(count = TURNS): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/**
 * Returns the result of `work` while the clock stands still. A promise that does not settle fails at once, without a
 * timeout.
 */
export async function atOnce<T>(work: Promise<T>): Promise<T> {
  let pending = true;
  const ended = work.finally(() => (pending = false));
  ended.catch(() => undefined);
  for (let turn = 0; pending && turn < MOST_TURNS; turn += 1) await turns(1);
  if (pending) throw new Error('It did not end while the clock stood still.');
  return ended;
}

export function manualClock(start = Date.parse('2026-03-01T12:00:00.000Z')): ManualClock {
  let now = start;
  let wallAhead = 0;
  let timers: Timer[] = [];
  return {
    now: () => now + wallAhead,
    monotonic: () => now,
    after(ms, task) {
      const timer: Timer = { at: now + Math.max(0, ms), task };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async advance(ms) {
      const end = now + ms;
      let atThisMoment = 0;
      for (;;) {
        await turns();
        const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        atThisMoment = next.at > now ? 0 : atThisMoment + 1;
        if (atThisMoment > MOST_AT_ONE_MOMENT)
          throw new Error('Timers are set again and again for the same moment.');
        now = Math.max(now, next.at);
        next.task();
      }
      now = end;
      await turns();
    },
    stepWall(ms) {
      wallAhead += ms;
    },
    pending: () => timers.length,
  };
}
