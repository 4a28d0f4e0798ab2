/**
 * When the store has something due in a lane, as far as this process knows: from listings, and from the rows that it
 * schedules itself. Rows of other processes are found by the next listing.
 */
import type { LaneState } from '../../ports/due-times.js';

export interface StoredLanes {
  /** A row was stored. */
  note(queue: string, lane: string, dueAt: number): void;
  /** Whether the store may have a row that was due by this time. True in a queue that was never listed. */
  mayHave(queue: string, lane: string, dueBy: number): boolean;
  /** The store returned fewer rows than asked for. Later rows of the lane are unknown until the next listing. */
  usedUp(queue: string, lane: string): void;
  /** Replaces what is known of the queue with the answer of the store. */
  list(queue: string, ask: () => Promise<readonly LaneState[]>): Promise<readonly LaneState[]>;
}

export function createStoredLanes(): StoredLanes {
  const known = new Map<string, Map<string, number>>();
  /** Rows that were stored during a listing, which may not contain them. */
  const meanwhile = new Map<string, Set<Map<string, number>>>();

  const lower = (lanes: Map<string, number>, lane: string, dueAt: number): void =>
    void lanes.set(lane, Math.min(dueAt, lanes.get(lane) ?? Infinity));

  return {
    note(queue, lane, dueAt) {
      const lanes = known.get(queue);
      if (lanes) lower(lanes, lane, dueAt);
      for (const notes of meanwhile.get(queue) ?? []) lower(notes, lane, dueAt);
    },
    mayHave(queue, lane, dueBy) {
      const lanes = known.get(queue);
      return lanes === undefined || (lanes.get(lane) ?? Infinity) <= dueBy;
    },
    usedUp(queue, lane) {
      const lanes = known.get(queue);
      if (lanes?.has(lane)) lanes.set(lane, -Infinity);
    },
    async list(queue, ask) {
      const notes = new Map<string, number>();
      const open = meanwhile.get(queue) ?? new Set();
      meanwhile.set(queue, open.add(notes));
      try {
        const found = await ask();
        const lanes = new Map(found.map(({ lane, nextDueAt }) => [lane, nextDueAt]));
        for (const [lane, dueAt] of notes) lower(lanes, lane, dueAt);
        known.set(queue, lanes);
        return found;
      } finally {
        open.delete(notes);
      }
    },
  };
}
