/**
 * The DueTimes port over SQLite. Waiting entries are in an index by lane and due time, so a claim costs the same
 * whether a lane has ten entries or a million.
 *
 * The holder of an entry is kept in memory only. No other process uses the folder, so a hold can't outlive this one. A
 * claim therefore writes nothing and waits for no commit.
 */
import type { Clock } from '../../ports/clock.js';
import type {
  AdoptedEntry,
  AdoptingDueTimes,
  ClaimedEntry,
  DueEntry,
  DueTimes,
  LaneState,
  Settlement,
} from '../../ports/due-times.js';
import { watchSteps } from '../clock/steps.js';
import type { Db } from './database.js';
import { createBringForward } from './due-times-set-back.js';
import { createHolds } from './holds.js';
import { LIMIT } from './limit.js';
import type { Participant, Writer } from './writer.js';

type Listener = Parameters<DueTimes['onScheduled']>[0];

interface Row {
  readonly seq: number;
  readonly id: string;
  readonly due_at: number;
  readonly claims: number;
  readonly payload: string;
}

export const CLAIM_SQL = `SELECT seq, id, due_at, claims, payload FROM due_entries INDEXED BY due_waiting
   WHERE queue = ? AND lane = ? AND due_at <= ? ORDER BY due_at, seq ${LIMIT}`;

export const NEXT_LANE_SQL = `SELECT lane FROM due_entries INDEXED BY due_waiting
   WHERE queue = ? AND lane > ? ORDER BY lane LIMIT 1`;

export function createDueTimes(
  db: Db,
  deps: {
    readonly writer: () => Writer;
    readonly clock: Clock;
    /** Latest date in the history, epoch milliseconds: no earlier process started its fences from a later time. */
    readonly latestEventAt: number;
  },
): AdoptingDueTimes & Participant & { setBack(ms: number): void } {
  const insert = db.prepare(
    `INSERT INTO due_entries (queue, id, lane, due_at, payload, claims) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (queue, id) DO NOTHING`,
  );
  const select = db.prepare<unknown[], Row>(CLAIM_SQL);
  const remove = db.prepare('DELETE FROM due_entries WHERE seq = ?');
  const again = db.prepare(
    'UPDATE due_entries SET due_at = ?, claims = ?, payload = coalesce(?, payload) WHERE seq = ?',
  );
  const move = db.prepare<unknown[], { lane: string }>(
    'UPDATE due_entries SET due_at = ? WHERE queue = ? AND id = ? RETURNING lane',
  );
  const drop = db.prepare('DELETE FROM due_entries WHERE queue = ? AND id = ?');
  const nextLane = db.prepare<unknown[], string>(NEXT_LANE_SQL).pluck();
  const countQueue = db
    .prepare<unknown[], number>('SELECT count(*) FROM due_entries WHERE queue = ? AND due_at <= ?')
    .pluck();
  const countLane = db
    .prepare<unknown[], number>(
      'SELECT count(*) FROM due_entries INDEXED BY due_waiting WHERE queue = ? AND lane = ? AND due_at <= ?',
    )
    .pluck();

  const one = db.prepare('SELECT 1 FROM due_entries WHERE queue = ? AND id = ?').pluck();

  const forward = createBringForward(db, deps, ({ queue, lane, due_at }) => announce(queue, lane, due_at));
  // Holds use a monotonic scale: setting the clock forward must not hand out work that is still in progress.
  const { steady } = watchSteps(deps.clock, (ms) => {
    if (ms < 0) forward.by(-ms);
  });
  const holds = createHolds();
  // A fence identifies one claim for all time. Fences count microseconds since the epoch, from the start of this
  // process on. Only a million claims per second could overtake the clock. So no earlier process can be ahead of the
  // clock, nor of the dates it has written if the clock was set back since.
  let lastFence = Math.max(deps.clock.now(), deps.latestEventAt) * 1_000;
  const listeners = new Set<Listener>();
  let scheduled = new Map<string, { readonly queue: string; readonly lane: string; dueAt: number }>();

  function announce(queue: string, lane: string, dueAt: number): void {
    const id = JSON.stringify([queue, lane]);
    const known = scheduled.get(id);
    if (!known) scheduled.set(id, { queue, lane, dueAt });
    else if (dueAt < known.dueAt) known.dueAt = dueAt;
  }

  function settleOne(settlement: Settlement, payload: string | null): boolean {
    const { queue, id, fence } = settlement;
    const hold = holds.get(queue, id);
    if (hold?.fence !== fence) return false;
    if (settlement.then === 'done') {
      remove.run(hold.seq);
    } else {
      again.run(settlement.dueAt, hold.claims, payload, hold.seq);
      announce(queue, hold.lane, settlement.dueAt);
    }
    holds.release(queue, id);
    return true;
  }

  function adoptOne(entry: AdoptedEntry, payload: string): void {
    const { queue, id, lane, dueAt, claims, fence, heldUntil } = entry;
    const { changes, lastInsertRowid } = insert.run(queue, id, lane, dueAt, payload, claims);
    lastFence = Math.max(lastFence, fence);
    if (changes === 0 || heldUntil === null) return;
    holds.adopt(queue, id, { lane, seq: Number(lastInsertRowid), claims, fence, until: steady(heldUntil) });
  }

  /** Entries of a lane that are due and free at `now`, in order. Few are held: no more than are in progress. */
  function* free(queue: string, lane: string, now: number, dueBy: number, limit: number): Generator<Row> {
    const rows = select.all(queue, lane, dueBy, limit + holds.count(queue, lane));
    const at = steady(now);
    let left = limit;
    for (const row of rows) {
      if (left === 0) return;
      if (holds.isHeld(queue, row.id, at)) continue;
      left -= 1;
      yield row;
    }
  }

  return {
    /** Called when the clock was set back by so many milliseconds before this process started. */
    setBack: (ms) => forward.by(ms),

    async schedule(entries: readonly DueEntry[]) {
      const rows = entries.map((entry) => ({ entry, payload: JSON.stringify(entry.payload) }));
      return deps.writer().submit(() => {
        for (const { entry, payload } of rows) {
          const { queue, id, lane, dueAt } = entry;
          if (insert.run(queue, id, lane, dueAt, payload, 0).changes === 1) announce(queue, lane, dueAt);
        }
      }, rows.length);
    },

    async adopt(entries) {
      const rows = entries.map((entry) => ({ entry, payload: JSON.stringify(entry.payload) }));
      return deps.writer().submit(() => {
        for (const { entry, payload } of rows) adoptOne(entry, payload);
      }, rows.length);
    },

    async claim({ queue, lane, now, limit, leaseMs }) {
      return [...free(queue, lane, now, now, Math.max(0, limit))].map((row): ClaimedEntry => {
        // A hold that ran out counts as a claim too.
        const claims = Math.max(row.claims, holds.get(queue, row.id)?.claims ?? 0) + 1;
        const fence = (lastFence += 1);
        const until = steady(now + leaseMs);
        holds.take(queue, row.id, { lane, seq: row.seq, claims, fence, until });
        const payload = JSON.parse(row.payload) as Record<string, unknown>;
        return { queue, id: row.id, lane, dueAt: row.due_at, payload, claims, fence };
      });
    },

    async settle(settlements) {
      const rows = settlements.map((settlement) => ({
        settlement,
        payload:
          settlement.then === 'again' && settlement.payload ? JSON.stringify(settlement.payload) : null,
      }));
      return deps
        .writer()
        .submit(() => rows.map(({ settlement, payload }) => settleOne(settlement, payload)), rows.length);
    },

    reschedule: (queue, id, dueAt) =>
      deps.writer().submit(() => {
        if (holds.isHeld(queue, id, steady(deps.clock.now()))) return false;
        const row = move.get(dueAt, queue, id);
        if (!row) return false;
        holds.release(queue, id);
        announce(queue, row.lane, dueAt);
        return true;
      }),

    cancel: (queue, ids) =>
      deps.writer().submit(() => {
        for (const id of ids) {
          drop.run(queue, id);
          holds.release(queue, id);
        }
      }, ids.length),

    async lanes(queue, now) {
      forward.resume();
      const lanes: LaneState[] = [];
      // Jumps from lane to lane in the index: the cost grows with the lanes, not with the entries.
      let lane = nextLane.get(queue, '');
      while (lane !== undefined) {
        const [first] = free(queue, lane, now, Number.MAX_SAFE_INTEGER, 1);
        if (first) lanes.push({ lane, nextDueAt: first.due_at });
        lane = nextLane.get(queue, lane);
      }
      return lanes.sort((a, b) => a.nextDueAt - b.nextDueAt);
    },

    async count(queue, lane, dueBy = Number.MAX_SAFE_INTEGER) {
      return (lane === undefined ? countQueue.get(queue, dueBy) : countLane.get(queue, lane, dueBy)) ?? 0;
    },

    async existing(queue, ids) {
      return new Set(ids.filter((id) => one.get(queue, id) !== undefined));
    },

    onScheduled(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    committed() {
      holds.committed();
      if (scheduled.size === 0) return;
      const news = scheduled;
      scheduled = new Map();
      // In a separate event-loop tick: a listener that throws must not come between a commit and its promises.
      setImmediate(() => {
        for (const { queue, lane, dueAt } of news.values()) {
          for (const listener of listeners) listener(queue, lane, dueAt);
        }
      });
    },

    rolledBack() {
      holds.rolledBack();
      scheduled = new Map();
    },
  };
}
