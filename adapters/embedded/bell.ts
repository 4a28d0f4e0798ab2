/** How loops wait: for news, or for a while, without losing a ring that came just before. */
import type { Clock } from '../../ports/clock.js';

export interface Bell {
  /** Ends the wait in progress, or the next one at once. */
  ring(): void;
  /** Resolves at the next ring, or after `ms`. One waiter at a time. */
  wait(ms: number): Promise<void>;
}

export function createBell(clock: Clock): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      if (wake) wake();
      else rung = true;
    },
    wait(ms) {
      if (rung) {
        rung = false;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const cancel = clock.after(ms, () => wake?.());
        wake = () => {
          wake = undefined;
          cancel();
          resolve();
        };
      });
    },
  };
}

/** Lets timers, sockets and other loops run. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A listener for errors that throws must not end the loop that calls it. */
export function reportTo(listener: ((error: unknown) => void) | undefined, error: unknown): void {
  try {
    listener?.(error);
  } catch {
    // There is nobody left to tell.
  }
}

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 5_000;

/** Pause in ms before attempt `failures` + 1: doubles up to 5 s, half of it random so that loops spread. */
export function backoff(failures: number): number {
  const full = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures - 1, 10));
  return full / 2 + (Math.random() * full) / 2;
}
