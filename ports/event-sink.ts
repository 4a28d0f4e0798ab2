/** An outside system that accepts events as text, for replays. */
export interface SinkEvent {
  /** Events of one key keep their order. */
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface EventSink {
  /**
   * Resolves when the events are durably accepted. @throws StoreUnavailable: none, some or all of them may have been
   * accepted
   */
  write(events: readonly SinkEvent[]): Promise<void>;
  close(): Promise<void>;
}
