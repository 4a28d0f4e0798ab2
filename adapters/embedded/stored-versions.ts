/** Copies of collections that lie in the file, whichever release they are of: those of others are known by name only. */
import type { CollectionVersion } from '../../ports/read-models.js';
import { copyOf, tablesOf } from './collection-table.js';
import type { Db, Statement } from './database.js';

export interface StoredCopy extends CollectionVersion {
  readonly generation: number;
}

export function storedCopies(db: Db): readonly StoredCopy[] {
  const rows = db.prepare('SELECT name, version FROM collections ORDER BY name, version').all();
  return (rows as CollectionVersion[]).map(({ name, version }) => ({
    version,
    generation: 1,
    ...copyOf(name),
  }));
}

/**
 * For each table of the copy, what takes some rows out of it: none is then removed in one piece that others wait for.
 * What keeps its rows in tables of its own has to go as a whole.
 */
export const emptying = (db: Db, copy: StoredCopy, rows: number): readonly Statement[] =>
  tablesOf(db, copy)
    .filter(({ type }) => type === 'table')
    .map(({ name }) => {
      const keys = keysOf(db, name);
      return db.prepare(`DELETE FROM ${name} WHERE (${keys}) IN (SELECT ${keys} FROM ${name} LIMIT ${rows})`);
    });

/** The columns that name a row. */
function keysOf(db: Db, table: string): string {
  const columns = db.pragma(`table_info(${table})`) as { readonly name: string; readonly pk: number }[];
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => `"${name}"`);
  return keys.length === 0 ? 'rowid' : keys.join(', ');
}
