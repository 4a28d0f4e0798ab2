import type { Clock } from '../../ports/clock.js';

/**
 * Calls `passed` once the time is over and the data that had arrived by then was read. After a process was suspended
 * (stopped, swapped out, a long garbage collection) its timers run before its sockets, and an answer would be discarded
 * unread. The returned function cancels it.
 */
export function deadline(clock: Pick<Clock, 'after'>, ms: number, passed: () => void): () => void {
  let last: NodeJS.Immediate | undefined;
  const cancel = clock.after(ms, () => (last = setImmediate(passed)));
  return () => {
    cancel();
    clearImmediate(last);
  };
}
