/** Where events are replayed to. */

/** One event: its line as an export has it, and what a target needs to know of it. */
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
  /** For people: never with credentials. */
  readonly name: string;
  /** Events of one call at the most. */
  readonly batch: number;
  /** Resolves when the target has them for good. @throws Failure: none, some or all of them may have arrived */
  send(events: readonly ReplayedEvent[]): Promise<void>;
  close(): Promise<void>;
}
