/** Time-outs, numbers of attempts and buffer sizes of the adapter. All times in milliseconds. */
export interface Limits {
  /** Limit for one call, or for the silence between two parts of its answer. */
  readonly callTimeoutMs: number;
  /** Attempts for one request before it fails. A repeated append is harmless: same ids, same revision. */
  readonly attempts: number;
  /** Limit for one request including its retries. */
  readonly requestTimeoutMs: number;
  /** Limit for the server's confirmation of a new subscription. */
  readonly confirmTimeoutMs: number;
  /** Pause after a first failure; doubles up to the longest. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** A subscription that lived this long was healthy, so the next pause is the first one again. */
  readonly healthyAfterMs: number;
  /** Interval at which a subscription that receives nothing is compared with the end of the history. */
  readonly watchdogMs: number;
  /** Records that one subscription reads ahead of its consumer. */
  readonly buffer: number;
  /** Log records read by one call that reads $all. */
  readonly scan: number;
  /** Appends in progress on one connection; more wait, within their own time limit. */
  readonly inFlight: number;
}

/**
 * A server's own write time-outs are 2 s for each of two phases, so an answer that is missing after 4 s is lost. The
 * server buffers 32 live events for a subscription and then drops it, so the adapter buffers far more than that.
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

/** Pause before the next attempt after `failures` in a row: doubles, half of it random so that processes spread. */
export function pauseAfter(failures: number, limits: Limits): number {
  const full = Math.min(limits.longestPauseMs, limits.firstPauseMs * 2 ** Math.min(failures - 1, 20));
  return full / 2 + (Math.random() * full) / 2;
}
