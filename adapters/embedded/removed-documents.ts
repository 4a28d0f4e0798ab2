/** Rows of removed documents, which keep an id and a version until they are forgotten. */
import type { Forget, Forgotten } from '../../ports/read-models.js';
import type { Db } from './database.js';
import { LIMIT } from './limit.js';
import { columnsOf } from './table-columns.js';

/** Time at which a removed document was first marked. Null before that, and in live documents. */
export const NOTED_AT = 'noted_at';

/**
 * Adds the column NOTED_AT and its index to a table that lacks them. In a transaction. Live documents are not in the
 * index, so it does not make writing them more expensive.
 */
export function noteRemovals(db: Db, table: string): void {
  if (columnsOf(db, table).some(({ name }) => name === NOTED_AT)) return;
  db.exec(`ALTER TABLE ${table} ADD COLUMN ${NOTED_AT} INTEGER`);
  db.exec(`CREATE INDEX ${table}__${NOTED_AT} ON ${table} (${NOTED_AT}) WHERE doc IS NULL`);
}

/**
 * Returns a function that marks removed documents found for the first time, and deletes those marked long enough ago.
 * That function must run in a transaction.
 */
export function createForgetting(db: Db, table: string): (slice: Forget) => Forgotten {
  const removed = `id IN (SELECT id FROM ${table} INDEXED BY ${table}__${NOTED_AT} WHERE doc IS NULL AND`;
  const note = db.prepare(
    `UPDATE ${table} SET ${NOTED_AT} = ? WHERE ${removed} ${NOTED_AT} IS NULL ${LIMIT})`,
  );
  const forget = db.prepare(`DELETE FROM ${table} WHERE ${removed} ${NOTED_AT} < ? ${LIMIT})`);
  return ({ now, notedBefore, limit }) => {
    const { changes: noted } = note.run(now, limit);
    const { changes: forgotten } = forget.run(notedBefore, limit);
    return { forgotten, more: noted === limit || forgotten === limit };
  };
}
