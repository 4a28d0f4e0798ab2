/**
 * Waiting for loops: for a time, for a signal, or for one event-loop tick; and time limits, so that no call waits for
 * ever.
 */
import type { Clock } from './clock.js';

export const pause = (clock: Pick<Clock, 'after'>, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve));

/** Yields between two pieces of long work, so that timers, sockets and other waiting tasks can run (docs/adr/0018). */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A wait that other code can end. A ring just before the wait is not lost. */
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

/** Runs `work` with a signal that aborts after `ms`, as `AbortSignal.timeout` does, but by an injected clock. */
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

/**
 * Waits until every promise has settled, then resolves or rejects. @throws the first rejection, in the order of `work`
 */
export async function settled<T>(work: readonly Promise<T>[]): Promise<readonly T[]> {
  const outcomes = await Promise.allSettled(work);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

/** Runs `work` when all earlier work has ended, whatever came of it. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** A queue of its own, in which one piece of work runs at a time. */
export function createTurns(): InTurn {
  let turn: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };
}
