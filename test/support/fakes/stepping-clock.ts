/** A clock for a whole product over real sockets: it goes as the machine's does, and a test moves it on. */
import { systemClock } from '../../../adapters/clock/system.js';
import type { Clock } from '../../../ports/clock.js';
import { turns } from './manual-clock.js';

export interface SteppingClock extends Clock {
  /**
   * Time passes: both clocks go on by `ms`, and what falls due on the way runs in its order, each at its own time. It
   * goes in small steps, between which sockets and stores have their turn.
   */
  advance(ms: number): Promise<void>;
  /** The same at once, as for a process that was held up: nothing else has its turn before what is due. */
  leap(ms: number): void;
  /** Somebody sets the wall clock, on or back: no time passes, and no timer fires. */
  stepWall(ms: number): void;
}

interface Timer {
  readonly at: number;
  readonly task: () => void;
  cancel: () => void;
}

/** Long waits take no more steps than this. */
const MOST_STEPS = 100;
const SHORTEST_STEP_MS = 100;

/** @param machine what it follows */
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

  /** Runs what falls due within `ms`, in its order and at its own time. */
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
    // Whole, as the machine's: it goes into dates and due times.
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
