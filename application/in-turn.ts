/**
 * One after the other within this process, per key. Streams decide between writers by revision anyway; this only keeps
 * writers of one process from losing to each other again and again.
 */
const tails = new WeakMap<object, Map<string, Promise<unknown>>>();

/** @param owner whose queue it is: keys of two owners have nothing to do with each other */
export function inTurn<T>(owner: object, key: string, work: () => Promise<T>): Promise<T> {
  let queue = tails.get(owner);
  if (!queue) tails.set(owner, (queue = new Map<string, Promise<unknown>>()));
  const before = queue.get(key);
  const mine = before === undefined ? work() : before.then(work, work);
  queue.set(key, mine);
  const leave = (): void => {
    if (queue.get(key) === mine) queue.delete(key);
  };
  mine.then(leave, leave);
  return mine;
}
