/** How long the adapter waits, how often it tries, how much it holds. All times in milliseconds. */
export interface Limits {
  /** One call, or the silence between two parts of its answer. */
  readonly callTimeoutMs: number;
  /** Calls made for one request before it is given up. A repeated append is harmless: same ids, same revision. */
  readonly attempts: number;
  /** One request with its repeats. */
  readonly requestTimeoutMs: number;
  /** Until the server has confirmed a new subscription. */
  readonly confirmTimeoutMs: number;
  /** Pause after a first failure; doubles up to the longest. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** A subscription that lived this long was well, so the next pause is the first one again. */
  readonly healthyAfterMs: number;
  /** How often a subscription that hears nothing is compared with the end of the history. */
  readonly watchdogMs: number;
  /** Records that one subscription reads ahead of its consumer. */
  readonly buffer: number;
  /** Log records looked at in one call that reads $all. */
  readonly scan: number;
  /** Appends that one connection has under way at once; more wait for their turn, within their own time. */
  readonly inFlight: number;
}

/**
 * A server's own write time-outs are 2 s for each of two phases, so a call that has no answer after 4 s has lost it.
 * It buffers 32 live events for a subscription and then drops it, so we read ahead of the consumer far more than that.
 */
export const DEFAULT_LIMITS: Limits = {
  callTimeoutMs: 4_000,
  attempts: 3,
  requestTimeoutMs: 10_000,
  confirmTimeoutMs: 10_000,
  firstPauseMs: 100,
  longestPauseMs: 10_000,
  healthyAfterMs: 10_000,
  watchdogMs: 15_000,
  buffer: 5_000,
  scan: 4_096,
  inFlight: 500,
};

/** Pause before the next try after `failures` in a row: doubles, half of it random so that processes spread. */
export function pauseAfter(failures: number, limits: Limits): number {
  const full = Math.min(limits.longestPauseMs, limits.firstPauseMs * 2 ** Math.min(failures - 1, 20));
  return full / 2 + (Math.random() * full) / 2;
}
