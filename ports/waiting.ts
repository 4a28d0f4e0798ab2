/** How loops wait: a while, for news, or until others had their turn; and how calls are kept from waiting for ever. */
import type { Clock } from './clock.js';

export const pause = (clock: Pick<Clock, 'after'>, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve));

/** Between two pieces of long work, timers, sockets and whoever else waits have their turn (docs/adr/0018). */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A wait that others can end, without losing a ring that came just before. */
export interface Bell {
  /** Ends the wait in progress, or the next one at once. */
  ring(): void;
  /** Resolves at the next ring, or after `ms`. One waiter at a time. */
  wait(ms: number): Promise<void>;
}

export function createBell(clock: Pick<Clock, 'after'>): Bell {
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

/** Runs `work` with a signal that ends it when the time is over: as `AbortSignal.timeout` does, by a clock of ours. */
export async function withTimeout<T>(
  clock: Pick<Clock, 'after'>,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const cancel = clock.after(ms, () => ending.abort(new DOMException('no answer in time', 'TimeoutError')));
  try {
    return await work(ending.signal);
  } finally {
    cancel();
  }
}

/** Resolves or rejects when nothing of it goes on any more. @throws what the first of them failed with */
export async function settled<T>(work: readonly Promise<T>[]): Promise<readonly T[]> {
  const outcomes = await Promise.allSettled(work);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
