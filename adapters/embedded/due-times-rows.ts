/** The rows of due-time entries. Functions that write are called in a transaction. */
import type { DueEntry } from '../../ports/due-times.js';
import type { Db } from './database.js';
import type { Place } from './held-places.js';
import { LIMIT } from './limit.js';

export interface DueRow {
  readonly seq: number;
  readonly id: string;
  readonly due_at: number;
  readonly claims: number;
  readonly payload: string;
}

export interface MovedRow extends Place {
  readonly lane: string;
}

export interface DueRows {
  /** @param payload as JSON. Returns the number of its row; null when the entry exists. */
  readonly insert: (entry: DueEntry, payload: string, claims: number) => number | null;
  readonly remove: (seq: number) => void;
  /** @param payload as JSON; null leaves it as it is */
  readonly putBack: (seq: number, dueAt: number, claims: number, payload: string | null) => void;
  /** Undefined when there is no such entry. */
  readonly move: (queue: string, id: string, dueAt: number) => MovedRow | undefined;
  readonly cancel: (queue: string, id: string) => void;
  /** Entries of a lane behind a place, in order. */
  readonly dueBy: (
    queue: string,
    lane: string,
    behind: Place,
    dueBy: number,
    limit: number,
  ) => readonly DueRow[];
  /** Jumps from lane to lane in the index: the cost grows with the lanes, not with the entries. */
  readonly lanes: (queue: string) => Iterable<string>;
  readonly count: (queue: string, lane: string | undefined, dueBy: number) => number;
  readonly exists: (queue: string, id: string) => boolean;
}

export const CLAIM_SQL = `SELECT seq, id, due_at, claims, payload FROM due_entries INDEXED BY due_waiting
   WHERE queue = ? AND lane = ? AND (due_at, seq) > (?, ?) AND due_at <= ? ORDER BY due_at, seq ${LIMIT}`;

export const NEXT_LANE_SQL = `SELECT lane FROM due_entries INDEXED BY due_waiting
   WHERE queue = ? AND lane > ? ORDER BY lane LIMIT 1`;

export function createDueRows(db: Db): DueRows {
  const insert = db.prepare(
    `INSERT INTO due_entries (queue, id, lane, due_at, payload, claims) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (queue, id) DO NOTHING`,
  );
  const select = db.prepare<unknown[], DueRow>(CLAIM_SQL);
  const remove = db.prepare('DELETE FROM due_entries WHERE seq = ?');
  const again = db.prepare(
    'UPDATE due_entries SET due_at = ?, claims = ?, payload = coalesce(?, payload) WHERE seq = ?',
  );
  const move = db.prepare<unknown[], MovedRow>(
    'UPDATE due_entries SET due_at = ? WHERE queue = ? AND id = ? RETURNING lane, due_at, seq',
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

  return {
    insert({ queue, id, lane, dueAt }, payload, claims) {
      const { changes, lastInsertRowid } = insert.run(queue, id, lane, dueAt, payload, claims);
      return changes === 0 ? null : Number(lastInsertRowid);
    },
    remove: (seq) => void remove.run(seq),
    putBack: (seq, dueAt, claims, payload) => void again.run(dueAt, claims, payload, seq),
    move: (queue, id, dueAt) => move.get(dueAt, queue, id),
    cancel: (queue, id) => void drop.run(queue, id),
    dueBy: (queue, lane, { due_at, seq }, dueBy, limit) => select.all(queue, lane, due_at, seq, dueBy, limit),
    *lanes(queue) {
      for (let lane = nextLane.get(queue, ''); lane !== undefined; lane = nextLane.get(queue, lane))
        yield lane;
    },
    count: (queue, lane, dueBy) =>
      (lane === undefined ? countQueue.get(queue, dueBy) : countLane.get(queue, lane, dueBy)) ?? 0,
    exists: (queue, id) => one.get(queue, id) !== undefined,
  };
}
