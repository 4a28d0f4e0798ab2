/**
 * Claims of due-time entries, kept in memory only: no other process uses the folder, so a hold can't outlive this one. A
 * claim therefore writes nothing and waits for no commit.
 */
import type { AdoptedEntry, ClaimedEntry, DueTimes, Settlement } from '../../ports/due-times.js';
import { createChanges } from './changes.js';
import type { Listeners } from './due-times-listeners.js';
import type { DueRow, DueRows } from './due-times-rows.js';
import { createHeldPlaces, type Place } from './held-places.js';
import { createHolds } from './holds.js';

export interface Claims {
  readonly claim: (options: Parameters<DueTimes['claim']>[0]) => readonly ClaimedEntry[];
  /** The earliest entry of a lane that nobody holds. */
  earliest(queue: string, lane: string, now: number): DueRow | undefined;
  /** In a transaction. False when the fence is void. @param payload as JSON; null leaves it as it is */
  settle(settlement: Settlement, payload: string | null): boolean;
  /** In a transaction: a row that nobody holds has got this place. */
  placed(queue: string, lane: string, place: Place): void;
  /** In a transaction: adds an entry with the claim that it has, under its fence. @param payload as JSON */
  adopt(entry: AdoptedEntry, payload: string): void;
  isHeld(queue: string, id: string, now: number): boolean;
  /** In a transaction: any lane of the queue may have lost rows. */
  changed(queue: string): void;
  /** Whether the transaction under way has changed this lane, or any lane of the queue. */
  isChanging(queue: string, lane?: string): boolean;
  /** In a transaction. */
  release(queue: string, id: string): void;
  committed(): void;
  rolledBack(): void;
}

/** Held rows that are read beside the free ones that a claim wants: few behind a known place, more where there are more. */
const HELD_AT_FIRST = 16;
const HELD_AT_MOST = 1_024;
const START: Place = { due_at: -1, seq: 0 };

export function createClaims(deps: {
  readonly rows: DueRows;
  readonly listeners: Pick<Listeners, 'announce'>;
  /** Times on a monotonic scale: setting the clock forward must not hand out work that is still in progress. */
  readonly steady: (at: number) => number;
  /** No fence that was given before this process started is higher. */
  readonly lastFence: number;
}): Claims {
  const { rows, listeners, steady } = deps;
  let { lastFence } = deps;
  const holds = createHolds();
  const held = createHeldPlaces();
  /** Queues, and lanes of queues. */
  const changes = createChanges();
  const laneOf = (queue: string, lane: string): string => `${queue}\n${lane}`;
  /** Of a queue of which every lane may be concerned. */
  const everyLane = (queue: string): string => laneOf(queue, '');

  /** Entries of a lane that are due and free at `now`, in order. */
  function free(queue: string, lane: string, now: number, dueBy: number, limit: number): readonly DueRow[] {
    if (limit <= 0) return [];
    const at = steady(now);
    const found: DueRow[] = [];
    let place = held.upTo(queue, lane, at) ?? START;
    for (let beside = HELD_AT_FIRST; ; beside = Math.min(2 * beside, HELD_AT_MOST)) {
      const most = limit - found.length + Math.min(holds.count(queue, lane), beside);
      const due = rows.dueBy(queue, lane, place, dueBy, most);
      for (const row of due) {
        place = row;
        const until = holds.until(queue, row.id);
        if (until === undefined || until <= at) found.push(row);
        else if (found.length === 0) held.passed(queue, lane, row, until);
        if (found.length === limit) return found;
      }
      if (due.length < most) return found;
    }
  }

  function changed(queue: string, lane?: string): void {
    changes.note(queue);
    changes.note(lane === undefined ? everyLane(queue) : laneOf(queue, lane));
  }

  function placed(queue: string, lane: string, place: Place): void {
    changed(queue, lane);
    held.mayBeFree(queue, lane, place);
    listeners.announce(queue, lane, place.due_at);
  }

  return {
    claim: ({ queue, lane, now, limit, leaseMs }) =>
      free(queue, lane, now, now, limit).map((row): ClaimedEntry => {
        // A hold that ran out counts as a claim too.
        const claims = Math.max(row.claims, holds.get(queue, row.id)?.claims ?? 0) + 1;
        const fence = (lastFence += 1);
        const until = steady(now + leaseMs);
        holds.take(queue, row.id, { lane, seq: row.seq, claims, fence, until });
        const payload = JSON.parse(row.payload) as Record<string, unknown>;
        return { queue, id: row.id, lane, dueAt: row.due_at, payload, claims, fence };
      }),
    earliest(queue, lane, now) {
      const [first] = free(queue, lane, now, Number.MAX_SAFE_INTEGER, 1);
      return first;
    },
    settle(settlement, payload) {
      const { queue, id, fence } = settlement;
      const hold = holds.get(queue, id);
      if (hold?.fence !== fence) return false;
      changed(queue, hold.lane);
      if (settlement.then === 'done') {
        rows.remove(hold.seq);
      } else {
        rows.putBack(hold.seq, settlement.dueAt, hold.claims, payload);
        placed(queue, hold.lane, { due_at: settlement.dueAt, seq: hold.seq });
      }
      holds.release(queue, id);
      return true;
    },
    adopt(entry, payload) {
      const { queue, id, lane, claims, fence, heldUntil } = entry;
      const seq = rows.insert(entry, payload, claims);
      lastFence = Math.max(lastFence, fence);
      if (seq === null) return;
      changed(queue, lane);
      held.mayBeFree(queue, lane, { due_at: entry.dueAt, seq });
      if (heldUntil === null) return;
      holds.adopt(queue, id, { lane, seq, claims, fence, until: steady(heldUntil) });
    },
    placed,
    changed,
    isChanging: (queue, lane) =>
      changes.has(lane === undefined ? queue : laneOf(queue, lane)) || changes.has(everyLane(queue)),
    isHeld: (queue, id, now) => holds.isHeld(queue, id, steady(now)),
    release: (queue, id) => holds.release(queue, id),
    committed() {
      holds.committed();
      changes.end();
    },
    rolledBack() {
      holds.rolledBack();
      changes.end();
    },
  };
}
