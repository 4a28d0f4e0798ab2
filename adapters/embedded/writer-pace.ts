/**
 * The pause of the writer after a commit, so that a busy pipeline of small steps shares commits. An idle store commits at
 * once, and so does one whose only caller waits for each commit: nothing could share it.
 */
import type { Queue } from './writer-queue.js';

/**
 * Minimum time from the end of one commit to the next, which is what a step waits. With slow commits it is twice their
 * duration, so that at most a third of the time is spent on commits. A step never waits longer than the longest value.
 */
const BREATH_MS = 2;
const LONGEST_BREATH_MS = 8;
const LONGEST_BREATH_BEHIND_MS = 20;
/** After so many commits of one operation each, the next operation is assumed to be alone too. */
const ALONE_AFTER = 8;

export interface Pace {
  /** Earliest time of the next commit, for what waits now. */
  nextAt(requests: Queue, behind: Queue): number;
  /** @param blockedMs how long the transaction blocked the thread */
  committed(blockedMs: number, operations: number): void;
}

/**
 * @param maxWeight weight of a full transaction, which does not wait for more
 * @param breathMs minimum time from one commit to the next; 0: none ever
 */
export function createPace(maxWeight: number, monotonic: () => number, breathMs = BREATH_MS): Pace {
  let lastCommitAt = -Infinity;
  /** Moving average of the last commits. */
  let usualCommitMs = 0;
  /** Commits of a single operation since the last one that several shared. */
  let lone = ALONE_AFTER;

  /** The pause after a commit, in ms. */
  function breath(requests: Queue, behind: Queue): number {
    if (breathMs === 0 || requests.weight + behind.weight >= maxWeight) return 0;
    if (lone >= ALONE_AFTER && requests.waiting.length + behind.waiting.length === 1) return 0;
    const longest = requests.waiting.length > 0 ? LONGEST_BREATH_MS : LONGEST_BREATH_BEHIND_MS;
    return Math.max(breathMs, Math.min(longest, 2 * usualCommitMs));
  }

  return {
    nextAt: (requests, behind) => lastCommitAt + breath(requests, behind),
    committed(blockedMs, operations) {
      lone = operations > 1 ? 0 : lone + 1;
      lastCommitAt = monotonic();
      usualCommitMs += (blockedMs - usualCommitMs) / 8;
    },
  };
}
