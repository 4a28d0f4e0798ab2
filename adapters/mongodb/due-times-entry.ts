/** An entry as stored in MongoDB. */
import type { Clock } from '../../ports/clock.js';
import type { AdoptedEntry, DueEntry } from '../../ports/due-times.js';

export interface Entry {
  /** Queue and id. */
  readonly _id: string;
  readonly queue: string;
  readonly id: string;
  readonly lane: string;
  readonly due_at: number;
  /** Order of scheduling. */
  readonly seq: number;
  /** 0: nobody holds it. */
  readonly held_until: number;
  readonly fence: number;
  readonly claims: number;
  /** The claim that took it last. */
  readonly claimed_by: string | null;
  /**
   * Sum of the steps by which MongoDB's clock had been set back when the times were written. Absent in older releases.
   */
  readonly set_back?: number;
  /** JSON text, so that it comes back exactly as it was given. */
  readonly payload: string;
}

export const WAITING = 0;

export const keyOf = (queue: string, id: string): string => `${queue}\n${id}`;

export function entryOf(
  { queue, id, lane, dueAt, payload }: DueEntry,
  number: number,
  setBack: number,
): Entry {
  return {
    _id: keyOf(queue, id),
    queue,
    id,
    lane,
    due_at: dueAt,
    seq: number,
    held_until: WAITING,
    fence: number,
    claims: 0,
    claimed_by: null,
    set_back: setBack,
    payload: JSON.stringify(payload),
  };
}

export const adoptedEntryOf = (entry: AdoptedEntry, number: number, setBack: number): Entry => ({
  ...entryOf(entry, number, setBack),
  held_until: entry.heldUntil ?? WAITING,
  fence: entry.fence,
  claims: entry.claims,
});

/** Orders and fences of entries. They grow, and two processes are unlikely to draw the same number. */
export function growingNumbers(clock: Pick<Clock, 'now'>): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, clock.now() * 1_000 + Math.floor(Math.random() * 1_000));
    return last;
  };
}
