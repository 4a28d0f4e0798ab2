/** A clock for a whole product over real sockets: it follows the machine's clock, and a test can advance it. */
import { systemClock } from '../../../adapters/clock/system.js';
import type { Clock } from '../../../ports/clock.js';
import { turns } from './manual-clock.js';

export interface SteppingClock extends Clock {
  /**
   * Advances both clocks by `ms` and runs due tasks in order, each at its own time. It moves in small steps, between
   * which sockets and stores can make progress.
   */
  advance(ms: number): Promise<void>;
  /** Advances in one step, as for a stalled process: nothing else runs before the due tasks. */
  leap(ms: number): void;
  /** Sets the wall clock forwards or backwards: no time passes, and no timer fires. */
  stepWall(ms: number): void;
}

interface Timer {
  readonly at: number;
  readonly task: () => void;
  cancel: () => void;
}

/** Upper bound on the number of steps, so that long advances take longer steps. */
const MOST_STEPS = 100;
const SHORTEST_STEP_MS = 100;

/** @param machine the clock that it follows */
export function steppingClock(machine: Clock = systemClock): SteppingClock {
  let wallAhead = 0;
  let ahead = 0;
  const timers = new Set<Timer>();
  const monotonic = (): number => machine.monotonic() + ahead;

  function arm(timer: Timer): void {
    timer.cancel();
    timer.cancel = machine.after(Math.max(0, timer.at - monotonic()), () => fire(timer));
  }

  function rearm(): void {
    for (const timer of timers) arm(timer);
  }

  function fire(timer: Timer): void {
    if (timers.delete(timer)) timer.task();
  }

  /** Advances by `ms` and runs due tasks in order, each at its own time. */
  function pass(ms: number): void {
    const end = ahead + ms;
    for (;;) {
      let next: Timer | undefined;
      for (const timer of timers) if (!next || timer.at < next.at) next = timer;
      const wait = next ? next.at - monotonic() : Infinity;
      if (!next || ahead + wait > end) break;
      ahead += Math.max(0, wait);
      next.cancel();
      fire(next);
    }
    ahead = end;
  }

  return {
    // A whole number, as from the machine's clock: it is used in dates and due times.
    now: () => Math.floor(machine.now() + wallAhead + ahead),
    monotonic,
    after(ms, task) {
      const timer: Timer = { at: monotonic() + Math.max(0, ms), task, cancel: () => undefined };
      timers.add(timer);
      arm(timer);
      return () => {
        timers.delete(timer);
        timer.cancel();
      };
    },
    leap(ms) {
      pass(ms);
      rearm();
    },
    async advance(ms) {
      const step = Math.max(SHORTEST_STEP_MS, ms / MOST_STEPS);
      for (let left = ms; left > 0;) {
        const by = Math.min(step, left);
        left -= by;
        pass(by);
        await turns();
      }
      rearm();
    },
    stepWall(ms) {
      wallAhead += ms;
    },
  };
}
