/**
 * Schedules background work on the event loop. Requests and background work share one thread. The background runs in
 * small steps and yields to sockets after a few milliseconds, so that a request never waits for a whole batch.
 *
 * A step is the code that runs after one awaited result, up to the next await.
 */
import { systemClock } from '../clock/system.js';

export interface BackgroundScheduler {
  /** Runs `step` in a slot of the background, in the order of the calls. */
  readonly run: (step: () => void) => void;
  /** Resolves in a slot of the background. */
  next(): Promise<void>;
  /** Suspends the background for so many milliseconds; 0 ends the suspension. */
  readonly hold: (ms: number) => void;
  held(): boolean;
}

/** Longest time of the background at a stretch: a request waits at most this long, plus the current step. */
const SLICE_MS = 2;
/**
 * When requests fill the event loop, the background gets a longer slice: half of the time since its last one. Otherwise
 * a flood of requests would let work pile up without limit.
 */
const SHARE = 1 / 2;
const LONGEST_SLICE_MS = 5;
/** Also ends a slice, in case the clock stands still. */
const MOST_STEPS = 1_000;

export function createBackgroundScheduler(
  now: () => number = () => systemClock.monotonic(),
): BackgroundScheduler {
  let steps: (() => void)[] = [];
  /** Index of the next step; earlier ones are done. */
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
    // Runs after everything that the step has triggered: ticks run only after the last microtask.
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
