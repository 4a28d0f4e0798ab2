/** A clock that stands still until a test moves it. */
import type { Clock } from '../../../ports/clock.js';

export interface ManualClock extends Clock {
  /** Moves on, running what falls due in order; after each task the event loop turns a few times. */
  advance(ms: number): Promise<void>;
  /** Somebody sets the time of day, on or back: no time passes, and no timer fires. */
  stepWall(ms: number): void;
  /** Tasks that wait. */
  pending(): number;
}

interface Timer {
  readonly at: number;
  readonly task: () => void;
}

const TURNS = 10;

export async function turns(count = TURNS): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
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
      for (;;) {
        await turns();
        const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
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
