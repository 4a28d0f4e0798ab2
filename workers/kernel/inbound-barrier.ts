/**
 * Progress of processing WhatsApp's webhooks, for work that treats silence as an answer: checked before a wait times
 * out.
 */
export interface InboundBarrier {
  /**
   * Resolves with true once every webhook stored before the call was read; with false when `stopping` returns true.
   * @throws StoreUnavailable while webhooks wait for a store or a read model
   */
  untilRead(stopping: () => boolean): Promise<boolean>;
  /**
   * Resolves with true once everything written to these streams before the call is in the topics; with false when
   * `stopping` returns true.
   */
  untilRelayed(prefixes: readonly string[], stopping: () => boolean): Promise<boolean>;
  /** Number of webhooks that failed and will be read again. */
  toReadAgain(): Promise<number>;
}
