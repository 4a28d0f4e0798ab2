/**
 * Position of each projection. A projection that is applied in the transaction of every append is "in step": its
 * checkpoint is the head of the history. Its position is written only when it stops being in step.
 */
import { START, type Position } from '../../ports/event-store.js';
import type { Db } from './database.js';

export interface Checkpoints {
  /** As of the last commit, including changes made by the current transaction. */
  get(projection: string): Position;
  /** In a transaction: stores an explicit position, behind the head or equal to it. */
  set(projection: string, position: Position): void;
  /** In a transaction: from here on, the checkpoint is always the head. */
  follow(projection: string): void;
  /** In a transaction: gives all projections that are in step the current head as their explicit position. */
  settle(): void;
  /** In a transaction: resets the projection as if it had never been applied. */
  remove(projection: string): void;
}

export function createCheckpoints(db: Db, head: () => Position): Checkpoints {
  const select = db.prepare<unknown[], { position: Position; in_step: number }>(
    'SELECT position, in_step FROM checkpoints WHERE projection = ?',
  );
  const upsert = db.prepare(
    `INSERT INTO checkpoints (projection, position, in_step) VALUES (?, ?, ?)
     ON CONFLICT (projection) DO UPDATE SET position = excluded.position, in_step = excluded.in_step`,
  );
  const settleAll = db.prepare('UPDATE checkpoints SET position = ?, in_step = 0 WHERE in_step = 1');
  const remove = db.prepare('DELETE FROM checkpoints WHERE projection = ?');
  return {
    get(projection) {
      const found = select.get(projection);
      if (!found) return START;
      return found.in_step === 1 ? head() : found.position;
    },
    set: (projection, position) => void upsert.run(projection, position, 0),
    follow: (projection) => void upsert.run(projection, head(), 1),
    remove: (projection) => void remove.run(projection),
    settle: () => void settleAll.run(head()),
  };
}
