/** Time-outs and sizes. Milliseconds and bytes. */
export interface KafkaLimits {
  /** A killed consumer is noticed after this time. Brokers allow 6 s or more by default. */
  readonly sessionMs: number;
  /**
   * Heartbeat interval of a consumer. It also determines how soon a consumer learns that another one joined or left.
   */
  readonly heartbeatMs: number;
  /** How long a rebalance waits for a consumer that is still handling a batch. */
  readonly rebalanceMs: number;
  /** Longest wait of the broker for new messages; also the longest time that stopping an idle consumer takes. */
  readonly fetchWaitMs: number;
  readonly connectMs: number;
  readonly requestMs: number;
  /** A publish that is not acknowledged within this time rejects. */
  readonly publishMs: number;
  /** Largest message: key and value. */
  readonly messageBytes: number;
  /** How long `close` waits for current batches. Unfinished batches are delivered again to another consumer. */
  readonly closeMs: number;
}

/** A killed consumer is replaced within 10 s: its session, the others' next heartbeat, and the time to join. */
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
