/** How the sandbox delivers webhooks to their receiver; Meta promises neither order nor single delivery. */
export interface WebhookConduct {
  /** Delay before each update is sent. */
  readonly delayMs: number;
  /** Time for which updates are collected, to share a POST. */
  readonly gatherMs: number;
  /** Additional POSTs of each body. */
  readonly copies: number;
  /** The newest waiting update is sent first, also within a POST. */
  readonly reversed: boolean;
  /** Number of POSTs from now on that are signed with a wrong secret. */
  readonly wrongSignatures: number;
}

export const ORDERLY: WebhookConduct = {
  delayMs: 0,
  gatherMs: 0,
  copies: 0,
  reversed: false,
  wrongSignatures: 0,
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Delays before the retries of a webhook that was not answered 200: less and less often, for seven days (Meta,
 * "Throughput"). Frequent in the first quarter of an hour, which covers most restarts of a receiver.
 */
export const RETRY_DELAYS_MS: readonly number[] = [
  ...[0.5, 1, 2, 5, 10, 30].map((seconds) => seconds * SECOND),
  ...Array.from({ length: 15 }, () => MINUTE),
  ...Array.from({ length: 9 }, () => 5 * MINUTE),
  ...Array.from({ length: 23 }, () => HOUR),
  ...Array.from({ length: 24 }, () => 6 * HOUR),
];
