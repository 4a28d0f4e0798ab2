/**
 * The background's share of the event loop. Requests and everything that acts on its own run on one thread; the
 * background goes step by step, and after a few milliseconds sockets get their turn, so that a request never waits for
 * a whole batch.
 *
 * A step is what one awaited answer sets going, down to where it waits again.
 */
import { systemClock } from '../clock/system.js';

export interface Turns {
  /** Runs `step` in a turn of the background. In the order of the calls. */
  readonly run: (step: () => void) => void;
  /** Resolves in a turn of the background. */
  next(): Promise<void>;
  /** No turn begins for so many milliseconds, or until 0 is said. */
  readonly hold: (ms: number) => void;
  held(): boolean;
}

/** Time of the background in one go: what a request waits at the most beside the step under way. */
const SLICE_MS = 2;
/**
 * Where requests fill the event loop, the background gets more of it: half as much as all others had since its last
 * turn. Else a flood of requests would pile up work without end.
 */
const SHARE = 1 / 2;
const LONGEST_SLICE_MS = 5;
/** Ends a slice too, where a clock stands still. */
const MOST_STEPS = 1_000;

export function createTurns(now: () => number = () => systemClock.monotonic()): Turns {
  let steps: (() => void)[] = [];
  /** Steps before it are done. */
  let at = 0;
  let running = false;
  let endedAt = now();
  let until = 0;
  let stepsLeft = 0;
  let heldUntil = -Infinity;

  function slice(): void {
    const begun = now();
    if (begun < heldUntil) {
      setImmediate(slice);
      return;
    }
    stepsLeft = MOST_STEPS;
    until = begun + Math.min(LONGEST_SLICE_MS, Math.max(SLICE_MS, (begun - endedAt) * SHARE));
    step();
  }

  function step(): void {
    const current = steps[at]!;
    at += 1;
    stepsLeft -= 1;
    current();
    // Behind all that the step sets going: ticks run only after the last microtask.
    queueMicrotask(() => process.nextTick(after));
  }

  function after(): void {
    if (at === steps.length) {
      steps = [];
      at = 0;
      running = false;
    } else if (stepsLeft > 0 && now() < until) {
      return step();
    } else {
      if (at > 1_000) {
        steps = steps.slice(at);
        at = 0;
      }
      setImmediate(slice);
    }
    endedAt = now();
  }

  function run(next: () => void): void {
    steps.push(next);
    if (running) return;
    running = true;
    setImmediate(slice);
  }

  return {
    run,
    next: () => new Promise((resolve) => run(resolve)),
    hold: (ms) => void (heldUntil = now() + ms),
    held: () => now() < heldUntil,
  };
}
