/** Somewhere outside that takes events as text, for replays. */
export interface SinkEvent {
  /** Events of one key keep their order. */
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface EventSink {
  /** Resolves when they are taken for good. @throws StoreUnavailable: none, some or all of them may have been taken */
  write(events: readonly SinkEvent[]): Promise<void>;
  close(): Promise<void>;
}
