/**
 * Serialises work per key within this process. Streams decide between writers by revision anyway; this only prevents
 * repeated conflicts between writers of one process.
 */
import type { Clock } from '../ports/clock.js';
import { PassingMap } from '../ports/passing.js';

const queues = new WeakMap<object, PassingMap<string, Promise<unknown>>>();

/** How long work waits for earlier work. After that it starts anyway, so that work that hangs cannot block the rest. */
export interface WaitLimit {
  readonly clock: Pick<Clock, 'after'>;
  readonly ms: number;
}

/** @param owner owner of the queue: keys of different owners are independent */
export function serialize<T>(
  owner: object,
  key: string,
  work: () => Promise<T>,
  patience?: WaitLimit,
): Promise<T> {
  let queue = queues.get(owner);
  if (!queue) queues.set(owner, (queue = new PassingMap<string, Promise<unknown>>()));
  const before = queue.get(key);
  const mine = before === undefined ? work() : settled(before, patience).then(work);
  queue.set(key, mine);
  const leave = (): void => {
    if (queue.get(key) === mine) queue.delete(key);
  };
  mine.then(leave, leave);
  return mine;
}

function settled(before: Promise<unknown>, patience?: WaitLimit): Promise<void> {
  return new Promise((resolve) => {
    const cancel = patience?.clock.after(patience.ms, resolve);
    const go = (): void => {
      cancel?.();
      resolve();
    };
    before.then(go, go);
  });
}
