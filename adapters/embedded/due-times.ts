/**
 * The DueTimes port over SQLite. Waiting entries sit in an index by lane and due time; held ones leave it, so a claim
 * costs the same whether a lane has ten entries or a million.
 */
import type { Clock } from '../../ports/clock.js';
import type { ClaimedEntry, DueEntry, DueTimes, LaneState, Settlement } from '../../ports/due-times.js';
import type { Db } from './database.js';
import type { Participant, Writer } from './writer.js';

type Listener = Parameters<DueTimes['onScheduled']>[0];

interface Row {
  readonly seq: number;
  readonly id: string;
  readonly due_at: number;
  readonly claims: number;
  readonly payload: string;
}

interface LaneRow {
  readonly lane: string;
  readonly due_at: number;
}

/**
 * A fence names one claim of one entry for all time: `seq` is never given out twice, and neither is a claim number
 * of it. Leaves room for 2^33 entries and a million claims of each.
 */
const fenceOf = (seq: number, claims: number): number => seq * 2 ** 20 + (claims % 2 ** 20);

export const CLAIM_SQL = `SELECT seq, id, due_at, claims, payload FROM due_entries INDEXED BY due_waiting
   WHERE queue = ? AND lane = ? AND due_at <= ? AND lease_until IS NULL ORDER BY due_at, seq LIMIT ?`;

export const NEXT_LANE_SQL = `SELECT lane, due_at FROM due_entries INDEXED BY due_waiting
   WHERE queue = ? AND lane > ? AND lease_until IS NULL ORDER BY lane, due_at LIMIT 1`;

export function createDueTimes(
  db: Db,
  deps: { readonly writer: () => Writer; readonly clock: Clock },
): DueTimes & Participant {
  const insert = db.prepare(
    `INSERT INTO due_entries (queue, id, lane, due_at, payload) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (queue, id) DO NOTHING`,
  );
  const release = db.prepare(
    `UPDATE due_entries INDEXED BY due_held SET lease_until = NULL
     WHERE queue = ? AND lane = ? AND lease_until IS NOT NULL AND lease_until <= ?`,
  );
  const select = db.prepare(CLAIM_SQL);
  const hold = db.prepare('UPDATE due_entries SET claims = ?, fence = ?, lease_until = ? WHERE seq = ?');
  const remove = db.prepare('DELETE FROM due_entries WHERE queue = ? AND id = ? AND fence = ?');
  const again = db.prepare(
    `UPDATE due_entries SET fence = 0, lease_until = NULL, due_at = ?, payload = coalesce(?, payload)
     WHERE queue = ? AND id = ? AND fence = ? RETURNING lane`,
  );
  const move = db.prepare(
    `UPDATE due_entries SET fence = 0, lease_until = NULL, due_at = ?
     WHERE queue = ? AND id = ? AND (lease_until IS NULL OR lease_until <= ?) RETURNING lane`,
  );
  const drop = db.prepare('DELETE FROM due_entries WHERE queue = ? AND id = ?');
  const nextLane = db.prepare(NEXT_LANE_SQL);
  const expired = db.prepare(
    `SELECT lane, min(due_at) AS due_at FROM due_entries INDEXED BY due_held
     WHERE queue = ? AND lease_until IS NOT NULL AND lease_until <= ? GROUP BY lane`,
  );
  const countQueue = db.prepare('SELECT count(*) FROM due_entries WHERE queue = ?').pluck();
  const countLane = db
    .prepare(
      `SELECT (SELECT count(*) FROM due_entries INDEXED BY due_waiting WHERE queue = ? AND lane = ? AND lease_until IS NULL)
            + (SELECT count(*) FROM due_entries INDEXED BY due_held WHERE queue = ? AND lane = ? AND lease_until IS NOT NULL)`,
    )
    .pluck();

  // This process alone holds the folder: whoever held a lease before is gone.
  db.exec('UPDATE due_entries SET fence = 0, lease_until = NULL WHERE lease_until IS NOT NULL');

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
    // 0 marks an entry that nobody has claimed.
    if (fence === 0) return false;
    if (settlement.then === 'done') return remove.run(queue, id, fence).changes === 1;
    const row = again.get(settlement.dueAt, payload, queue, id, fence) as { lane: string } | undefined;
    if (!row) return false;
    announce(queue, row.lane, settlement.dueAt);
    return true;
  }

  return {
    async schedule(entries: readonly DueEntry[]) {
      const rows = entries.map((entry) => ({ entry, payload: JSON.stringify(entry.payload) }));
      return deps.writer().submit(() => {
        for (const { entry, payload } of rows) {
          const { queue, id, lane, dueAt } = entry;
          if (insert.run(queue, id, lane, dueAt, payload).changes === 1) announce(queue, lane, dueAt);
        }
      }, rows.length);
    },

    claim: ({ queue, lane, now, limit, leaseMs }) =>
      deps.writer().submit(() => {
        release.run(queue, lane, now);
        const rows = select.all(queue, lane, now, Math.max(0, limit)) as Row[];
        return rows.map((row): ClaimedEntry => {
          const claims = row.claims + 1;
          const fence = fenceOf(row.seq, claims);
          hold.run(claims, fence, now + leaseMs, row.seq);
          const payload = JSON.parse(row.payload) as Record<string, unknown>;
          return { queue, id: row.id, lane, dueAt: row.due_at, payload, claims, fence };
        });
      }, limit),

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
        const row = move.get(dueAt, queue, id, deps.clock.now()) as { lane: string } | undefined;
        if (row) announce(queue, row.lane, dueAt);
        return row !== undefined;
      }),

    cancel: (queue, ids) => deps.writer().submit(() => ids.forEach((id) => drop.run(queue, id)), ids.length),

    async lanes(queue, now) {
      const lanes = new Map<string, number>();
      // Jumps from lane to lane in the index: the cost follows the lanes, not the entries.
      let row = nextLane.get(queue, '') as LaneRow | undefined;
      while (row) {
        lanes.set(row.lane, row.due_at);
        row = nextLane.get(queue, row.lane) as LaneRow | undefined;
      }
      for (const { lane, due_at } of expired.all(queue, now) as LaneRow[]) {
        lanes.set(lane, Math.min(due_at, lanes.get(lane) ?? due_at));
      }
      return [...lanes]
        .map(([lane, nextDueAt]): LaneState => ({ lane, nextDueAt }))
        .sort((a, b) => a.nextDueAt - b.nextDueAt);
    },

    async count(queue, lane) {
      return (lane === undefined ? countQueue.get(queue) : countLane.get(queue, lane, queue, lane)) as number;
    },

    onScheduled(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    committed() {
      if (scheduled.size === 0) return;
      const news = scheduled;
      scheduled = new Map();
      // In a turn of their own: a listener that throws must not come between a commit and its promises.
      setImmediate(() => {
        for (const { queue, lane, dueAt } of news.values()) {
          for (const listener of listeners) listener(queue, lane, dueAt);
        }
      });
    },

    rolledBack() {
      scheduled = new Map();
    },
  };
}
