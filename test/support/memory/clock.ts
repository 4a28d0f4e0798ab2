/** A clock that tests own: time stands still until `advance`. */
import type { Clock } from '../../../ports/clock.js';

export interface ManualClock extends Clock {
  /** Moves time on and runs what becomes due, in order of due time, at the time each is due. */
  advance(ms: number): void;
  /** Tasks that wait. */
  pending(): number;
}

export function createManualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let time = start;
  let order = 0;
  let tasks: { readonly at: number; readonly order: number; readonly task: () => void }[] = [];

  return {
    now: () => time,
    after(ms, task) {
      const entry = { at: time + Math.max(0, ms), order: (order += 1), task };
      tasks.push(entry);
      return () => {
        tasks = tasks.filter((other) => other !== entry);
      };
    },
    advance(ms) {
      const end = time + ms;
      for (;;) {
        const next = tasks.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at || a.order - b.order)[0];
        if (!next) break;
        tasks = tasks.filter((other) => other !== next);
        time = Math.max(time, next.at);
        next.task();
      }
      time = end;
    },
    pending: () => tasks.length,
  };
}
