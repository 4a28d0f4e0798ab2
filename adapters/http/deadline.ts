import type { Clock } from '../../ports/clock.js';

/**
 * Calls `passed` once the time is over and what had arrived by then was read: after a process was held up (stopped,
 * swapped out, a long collection) its timers come before its sockets, and an answer would be thrown away unread.
 * What comes back calls it off.
 */
export function deadline(clock: Pick<Clock, 'after'>, ms: number, passed: () => void): () => void {
  let last: NodeJS.Immediate | undefined;
  const cancel = clock.after(ms, () => (last = setImmediate(passed)));
  return () => {
    cancel();
    clearImmediate(last);
  };
}
