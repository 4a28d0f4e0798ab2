/** Writes rows that are kept in memory to the due-time store, as they are: with their claims if they are held. */
import type { Clock } from '../../ports/clock.js';
import type { AdoptedEntry, AdoptingDueTimes } from '../../ports/due-times.js';
import type { ThrottledErrorLog } from '../kernel/throttled-error-log.js';
import type { KeptRow, RowsInMemory } from './rows-in-memory.js';
import type { StoredLanes } from './stored-lanes.js';

/** Rows written to the store at once. */
const MOVED_AT_ONCE = 500;

export interface RowMoves {
  /** Resolves when the store has these rows. @throws StoreUnavailable; those that it could not write are still kept */
  move(rows: readonly KeptRow[]): Promise<void>;
  /** Resolves when those of the rows that are being moved were moved, or could not be. */
  ended(rows: readonly KeptRow[]): Promise<void>;
  /** Resolves when the lane's rows that are being moved are in one place again. */
  endedIn(queue: string, lane: string): Promise<void>;
  anyIn(queue: string, lane: string): boolean;
}

export interface RowMovesDeps {
  readonly inner: AdoptingDueTimes;
  readonly memory: RowsInMemory;
  readonly stored: StoredLanes;
  readonly clock: Clock;
  readonly trouble: ThrottledErrorLog;
}

export function createRowMoves({ inner, memory, stored, clock, trouble }: RowMovesDeps): RowMoves {
  /** Writes to the store in progress. */
  let moves = 0;

  async function moveAll(all: readonly KeptRow[]): Promise<void> {
    const some: Promise<void>[] = [];
    for (let from = 0; from < all.length; from += MOVED_AT_ONCE) {
      some.push(move(all.slice(from, from + MOVED_AT_ONCE)));
    }
    await Promise.all(some);
  }

  function move(some: readonly KeptRow[]): Promise<void> {
    moves += 1;
    const adopted = inner.adopt([...some].sort((a, b) => a.seq - b.seq).map((row) => asIs(row, clock)));
    const arrived = adopted.then(
      () => {
        for (const row of some) {
          const { queue, lane, dueAt } = row.entry;
          stored.note(queue, lane, Math.max(dueAt, row.heldUntil));
          memory.forget(row);
        }
        trouble.worked();
      },
      (error: unknown) => {
        for (const row of some) Object.assign(row, { moving: null, inDoubt: true });
        throw error;
      },
    );
    // Only once the rows are in one place again: claims look for rows on their way while this counts any.
    const moving = arrived.finally(() => (moves -= 1));
    for (const row of some) row.moving = moving;
    return moving;
  }

  async function ended(rows: readonly KeptRow[]): Promise<void> {
    await Promise.allSettled(rows.flatMap(({ moving }) => moving ?? []));
  }

  return {
    move: moveAll,
    ended,
    async endedIn(queue, lane) {
      if (moves > 0) await ended(memory.inLane(queue, lane));
    },
    anyIn: (queue, lane) => moves > 0 && memory.inLane(queue, lane).some(({ moving }) => moving !== null),
  };
}

/** Its times by the wall clock, which may have been set since. */
function asIs({ entry, dueIn, heldUntil, claims, fence }: KeptRow, clock: Clock): AdoptedEntry {
  const now = clock.monotonic();
  const dueAt = Math.min(entry.dueAt, Math.ceil(clock.now() + Math.max(0, dueIn - now)));
  return { ...entry, dueAt, claims, fence, heldUntil: heldUntil === 0 ? null : heldUntil };
}
