/**
 * Whether the next commit may follow at once. Commits may take a share of the time on average; what they did not take
 * is saved up for a little while, so that the steps of a few messages are committed as they come.
 */
export interface CommitAllowance {
  has(now: number): boolean;
  /** A commit took so long and ended now. */
  used(ms: number, now: number): void;
}

/** A quarter of the time: a pipeline that needs more is busy, and gains from sharing commits. */
const SHARE = 1 / 4;
/** What can be saved up, in milliseconds of commits: some messages with all that they set going, also on a slow disk. */
const MOST_MS = 50;

/** Times are monotonic, in milliseconds. */
export function createCommitAllowance(begun: number): CommitAllowance {
  let left = MOST_MS;
  let at = begun;

  function bringUp(now: number): void {
    left = Math.min(MOST_MS, left + Math.max(0, now - at) * SHARE);
    at = now;
  }

  return {
    has(now) {
      bringUp(now);
      return left > 0;
    },
    used(ms, now) {
      bringUp(now);
      left -= ms;
    },
  };
}
