/** How far what WhatsApp tells has come, for those who take silence for an answer: asked before anybody is given up. */
export interface InboundBarrier {
  /**
   * Resolves with true once every webhook that was kept before the call was read; with false when it is to stop.
   * @throws StoreUnavailable while webhooks wait for a store or a read model
   */
  untilRead(stopping: () => boolean): Promise<boolean>;
  /** Resolves with true once everything written to these streams before the call is in the topics; with false when it is to stop. */
  untilRelayed(prefixes: readonly string[], stopping: () => boolean): Promise<boolean>;
  /** How many webhooks failed, and will be read again. */
  toReadAgain(): Promise<number>;
}
