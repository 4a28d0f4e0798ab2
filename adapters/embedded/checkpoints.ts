/**
 * Position of each projection. A projection that is applied in every append is "in step": its position is the head of
 * the history. The file has an earlier one, up to which its documents are in their table. So after a crash it continues
 * from there.
 */
import { START, type Position } from '../../ports/event-store.js';
import { createChanges } from './changes.js';
import type { Db } from './database.js';
import type { Participant } from './participant.js';

export interface Checkpoints extends Participant {
  /** Including changes made by the current transaction. */
  get(projection: string): Position;
  /** In a transaction: stores an explicit position, behind the head or equal to it. */
  set(projection: string, position: Position): void;
  /** Outside of a transaction: `get` gives this position from now on; the file has it once `flushed` was called. */
  setSoon(projection: string, position: Position): void;
  /** In a transaction, at the head: from here on, the position is always the head. */
  follow(projection: string): void;
  /**
   * In a transaction: the documents of all projections that are in step are in their tables up to this position. Writes
   * what `setSoon` set as well.
   */
  flushed(position: Position): void;
  /** In a transaction, when everything is flushed: no projection is in step any more. */
  settle(): void;
  /** In a transaction: resets the projection as if it had never been applied. */
  remove(projection: string): void;
  /** Whether the transaction under way has changed what `get` gives. */
  isChanging(projection: string): boolean;
}

export function createCheckpoints(db: Db, head: () => Position): Checkpoints {
  const select = db
    .prepare<unknown[], Position>('SELECT position FROM checkpoints WHERE projection = ?')
    .pluck();
  const upsert = db.prepare(
    `INSERT INTO checkpoints (projection, position) VALUES (?, ?)
     ON CONFLICT (projection) DO UPDATE SET position = excluded.position`,
  );
  // One that joined meanwhile is further already.
  const advance = db.prepare('UPDATE checkpoints SET position = ? WHERE projection = ? AND position < ?');
  const remove = db.prepare('DELETE FROM checkpoints WHERE projection = ?');
  let inStep: ReadonlySet<string> = new Set();
  /** Positions that the file may not have yet. */
  const ahead = new Map<string, Position>();
  /** As of the last commit, when the current transaction has changed it. */
  let before: ReadonlySet<string> | undefined;
  const changes = createChanges();

  function change(next: Iterable<string>): void {
    before ??= inStep;
    inStep = new Set(next);
  }

  const leave = (projection: string): void => {
    if (inStep.has(projection)) change([...inStep].filter((name) => name !== projection));
  };

  const flushed = (position: Position): void => {
    for (const projection of inStep) advance.run(position, projection, position);
    for (const [projection, own] of ahead) upsert.run(projection, own);
  };

  return {
    get: (projection) =>
      inStep.has(projection) ? head() : (ahead.get(projection) ?? select.get(projection) ?? START),
    setSoon: (projection, position) => void ahead.set(projection, position),
    isChanging: (projection) => changes.has(projection),
    set(projection, position) {
      changes.note(projection);
      leave(projection);
      ahead.delete(projection);
      upsert.run(projection, position);
    },
    follow(projection) {
      changes.note(projection);
      upsert.run(projection, head());
      change([...inStep, projection]);
    },
    remove(projection) {
      changes.note(projection);
      leave(projection);
      ahead.delete(projection);
      remove.run(projection);
    },
    flushed,
    settle() {
      changes.noteAll();
      flushed(head());
      change([]);
    },
    committed() {
      changes.end();
      before = undefined;
    },
    rolledBack() {
      changes.end();
      inStep = before ?? inStep;
      before = undefined;
    },
  };
}
