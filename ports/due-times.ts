/**
 * Durable timers: retries, pacing waits, reconcile windows. The only place where a delay lives.
 */
export interface DueEntry {
  readonly queue: string;
  /** Unique in its queue. */
  readonly id: string;
  /** What shares a pace: a channel, a webhook endpoint. Claims are asked lane by lane, so one can't starve another. */
  readonly lane: string;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface ClaimedEntry extends DueEntry {
  /** 1 on the first claim; counts those that were given back and those whose lease ran out while somebody looked. */
  readonly claims: number;
  /** Proves that the holder still owns it; a later claim makes it void. */
  readonly fence: number;
}

export type Settlement =
  | { readonly queue: string; readonly id: string; readonly fence: number; readonly then: 'done' }
  | {
      readonly queue: string;
      readonly id: string;
      readonly fence: number;
      readonly then: 'again';
      readonly dueAt: number;
      readonly payload?: Readonly<Record<string, unknown>>;
    };

/** Puts an entry back as it was claimed, for the next who looks: nobody has worked on it. */
export const asItWas = ({ queue, id, fence, dueAt }: ClaimedEntry): Settlement => ({
  queue,
  id,
  fence,
  then: 'again',
  dueAt,
});

export interface LaneState {
  readonly lane: string;
  /** Earliest due time of an entry that nobody holds. */
  readonly nextDueAt: number;
}

export interface DueTimes {
  /** Adds entries. One that already exists (queue, id) stays as it is. */
  schedule(entries: readonly DueEntry[]): Promise<void>;
  /**
   * Takes the earliest entries of one lane that are due at `now` and held by nobody (or whose lease has run out),
   * in order of due time, then of scheduling.
   */
  claim(options: {
    readonly queue: string;
    readonly lane: string;
    readonly now: number;
    readonly limit: number;
    readonly leaseMs: number;
  }): Promise<readonly ClaimedEntry[]>;
  /** True for each settlement that took effect; false when the fence was void and nothing changed. */
  settle(settlements: readonly Settlement[]): Promise<readonly boolean[]>;
  /** Brings a waiting entry forward (or back). False when there is none or somebody holds it. */
  reschedule(queue: string, id: string, dueAt: number): Promise<boolean>;
  cancel(queue: string, ids: readonly string[]): Promise<void>;
  /** Lanes with entries that nobody holds, earliest first. */
  lanes(queue: string, now: number): Promise<readonly LaneState[]>;
  /** Entries that wait or are held. `dueBy`: those that were due by then. */
  count(queue: string, lane?: string, dueBy?: number): Promise<number>;
  /** Those of the ids that have an entry, whether it waits or somebody holds it. */
  existing(queue: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Entries were scheduled by this process: a hint to look at once instead of at the next poll. */
  onScheduled(listener: (queue: string, lane: string, dueAt: number) => void): () => void;
}
