/** What happens to webhooks between the sandbox and their receiver; Meta promises neither order nor single delivery. */
export interface WebhookConduct {
  /** Wait before each update is sent. */
  readonly delayMs: number;
  /** Wait that lets updates gather, to share a POST. */
  readonly gatherMs: number;
  /** POSTs more than one of each body. */
  readonly copies: number;
  /** The newest of what waits goes first, also inside a POST. */
  readonly reversed: boolean;
  /** POSTs from now on that are signed with another secret. */
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
 * Waits before the repetitions of a webhook that was not answered 200: less and less often, for seven days (Meta,
 * "Throughput"). Dense in the first quarter of an hour, which is as long as most restarts of a receiver last.
 */
export const RETRY_DELAYS_MS: readonly number[] = [
  ...[0.5, 1, 2, 5, 10, 30].map((seconds) => seconds * SECOND),
  ...Array.from({ length: 15 }, () => MINUTE),
  ...Array.from({ length: 9 }, () => 5 * MINUTE),
  ...Array.from({ length: 23 }, () => HOUR),
  ...Array.from({ length: 24 }, () => 6 * HOUR),
];
