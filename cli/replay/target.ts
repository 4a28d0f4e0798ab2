/** The destination of a replay. */

/** One event: its line as in an export, and the facts that a target needs. */
export interface ReplayedEvent {
  readonly line: string;
  readonly position: string;
  readonly type: string;
  readonly id: string;
  readonly stream: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface Target {
  /** Shown to people: never contains credentials. */
  readonly name: string;
  /** The most events in one call. */
  readonly batch: number;
  /** Resolves once the target has stored them. @throws Failure: none, some or all of them may have arrived */
  send(events: readonly ReplayedEvent[]): Promise<void>;
  close(): Promise<void>;
}
