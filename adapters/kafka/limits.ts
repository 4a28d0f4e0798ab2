/** How long things may take and how big they may be. Milliseconds and bytes. */
export interface KafkaLimits {
  /** A consumer that was killed is noticed after this while. Brokers allow 6 s or more unless told otherwise. */
  readonly sessionMs: number;
  /** How often a consumer says that it lives, and so how soon it hears of another that came or left. */
  readonly heartbeatMs: number;
  /** How long the others wait for a consumer that still has a batch in hand when the work is shared out anew. */
  readonly rebalanceMs: number;
  /** Longest wait of the broker for news; also how long a stop may wait for an idle consumer. */
  readonly fetchWaitMs: number;
  readonly connectMs: number;
  readonly requestMs: number;
  /** After this while a publish that is not acknowledged rejects. */
  readonly publishMs: number;
  /** Biggest message: key and value. */
  readonly messageBytes: number;
  /** How long `close` waits for batches in hand. What is not done then is handed over again elsewhere. */
  readonly closeMs: number;
}

/** Killed consumers are replaced within 10 s: session, then the others' next beat and the time to join. */
export const defaultLimits: KafkaLimits = {
  sessionMs: 7_000,
  heartbeatMs: 1_000,
  rebalanceMs: 30_000,
  fetchWaitMs: 500,
  connectMs: 3_000,
  requestMs: 5_000,
  publishMs: 15_000,
  messageBytes: 1_000_000,
  closeMs: 20_000,
};
