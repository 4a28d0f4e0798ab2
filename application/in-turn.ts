/**
 * One after the other within this process, per key. Streams decide between writers by revision anyway; this only keeps
 * writers of one process from losing to each other again and again.
 */
import type { Clock } from '../ports/clock.js';

const tails = new WeakMap<object, Map<string, Promise<unknown>>>();

/** How long work waits for those before it. Then it begins all the same: one that hangs must not hold up all others. */
export interface Patience {
  readonly clock: Pick<Clock, 'after'>;
  readonly ms: number;
}

/** @param owner whose queue it is: keys of two owners have nothing to do with each other */
export function inTurn<T>(
  owner: object,
  key: string,
  work: () => Promise<T>,
  patience?: Patience,
): Promise<T> {
  let queue = tails.get(owner);
  if (!queue) tails.set(owner, (queue = new Map<string, Promise<unknown>>()));
  const before = queue.get(key);
  const mine = before === undefined ? work() : settled(before, patience).then(work);
  queue.set(key, mine);
  const leave = (): void => {
    if (queue.get(key) === mine) queue.delete(key);
  };
  mine.then(leave, leave);
  return mine;
}

function settled(before: Promise<unknown>, patience?: Patience): Promise<void> {
  return new Promise((resolve) => {
    const cancel = patience?.clock.after(patience.ms, resolve);
    const go = (): void => {
      cancel?.();
      resolve();
    };
    before.then(go, go);
  });
}
