/**
 * Durable timers: retries, pacing waits, reconcile windows. The only place where a delay lives.
 */
import type { OpenBatch } from './topics.js';

export interface DueEntry {
  readonly queue: string;
  /** Unique in its queue. */
  readonly id: string;
  /**
   * The thing that is paced: a channel or a webhook endpoint. Workers claim lane by lane, so no lane can starve
   * another.
   */
  readonly lane: string;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface ClaimedEntry extends DueEntry {
  /**
   * 1 on the first claim. Claims that were given back or whose lease ran out count too; an embedded store that is
   * restarted does not count the latter.
   */
  readonly claims: number;
  /** Proves that the holder still owns the entry; a later claim makes it void. */
  readonly fence: number;
  /**
   * Present where the entry was claimed in memory: the offset of the topic that it comes from waits for this work too.
   * False when the store has the entry by now, so that nothing waits. Without work it only answers.
   */
  readonly until?: (work?: Promise<unknown>) => boolean;
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

/** Puts an entry back unchanged for the next claimer, because no work was done on it. */
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

/** An entry in the state that it had in the memory of a process. */
export interface AdoptedEntry extends Omit<ClaimedEntry, 'until'> {
  /** When its claim ends or has ended, by the clock of claims (epoch milliseconds); null when nobody has claimed it. */
  readonly heldUntil: number | null;
}

export interface DueTimes {
  /**
   * Adds entries. One that already exists (queue, id) stays as it is.
   * @param open the entries concern messages of this batch, which is delivered again if they are lost: the store may
   * keep them in memory while the batch is open
   */
  schedule(entries: readonly DueEntry[], open?: OpenBatch): Promise<void>;
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
  /** Moves the due time of a waiting entry, earlier or later. False when the entry does not exist or is held. */
  reschedule(queue: string, id: string, dueAt: number): Promise<boolean>;
  cancel(queue: string, ids: readonly string[]): Promise<void>;
  /** Lanes that have entries nobody holds, earliest due time first. */
  lanes(queue: string, now: number): Promise<readonly LaneState[]>;
  /** Entries that wait or are held. `dueBy`: only entries that were due by that time. */
  count(queue: string, lane?: string, dueBy?: number): Promise<number>;
  /** The given ids that have an entry, waiting or held. */
  existing(queue: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Called when this process has scheduled entries: a hint to poll at once instead of at the next interval. */
  onScheduled(listener: (queue: string, lane: string, dueAt: number) => void): () => void;
}

/** A store that takes over entries which a process kept in memory. */
export interface AdoptingDueTimes extends DueTimes {
  /**
   * Adds entries as they are, with their claims and fences. One that already exists stays as it is. Tells no listener:
   * the process knows them.
   */
  adopt(entries: readonly AdoptedEntry[]): Promise<void>;
}
