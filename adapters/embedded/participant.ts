/** Takes part in every transaction of the writer. Called in the order given to `createWriter`. */
export interface Participant {
  /** In the transaction, before the operations. */
  before?(): void;
  /** In the transaction, after the operations. */
  after?(): void;
  /** The transaction is durable; the operations' promises resolve after this. Must not throw. */
  committed?(): void;
  /** The transaction was rolled back: discards what it had staged. Must not throw. */
  rolledBack?(error: Error): void;
}
