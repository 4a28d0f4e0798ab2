/** Versions of collections that lie in the file, whichever release they are of: those of others are known by name only. */
import { storedName, type CollectionVersion } from '../../ports/read-models.js';
import { copyOf, removeTable, tablesOf } from './collection-table.js';
import type { Db } from './database.js';

interface Copy extends CollectionVersion {
  readonly generation: number;
}

function copiesIn(db: Db): readonly Copy[] {
  const rows = db.prepare('SELECT name, version FROM collections ORDER BY name, version').all();
  return (rows as CollectionVersion[]).map(({ name, version }) => ({
    version,
    generation: 1,
    ...copyOf(name),
  }));
}

export function storedVersions(db: Db): readonly CollectionVersion[] {
  const found = copiesIn(db).map(({ name, version }) => [
    storedName({ name, version }, 1),
    { name, version },
  ]);
  return [...new Map(found as [string, CollectionVersion][]).values()];
}

export const copiesOfVersion = (db: Db, { name, version }: CollectionVersion): readonly Copy[] =>
  copiesIn(db).filter((copy) => copy.name === name && copy.version === version);

/**
 * Takes some rows out of the copy's tables, so that no transaction removes a large one in one piece. In a transaction.
 * Answers whether there may be more.
 */
export function emptySome(db: Db, copy: Copy, limit: number): boolean {
  for (const table of tablesOf(db, copy)) {
    const keys = keysOf(db, table);
    const { changes } = db
      .prepare(`DELETE FROM ${table} WHERE (${keys}) IN (SELECT ${keys} FROM ${table} LIMIT ${limit})`)
      .run();
    if (changes > 0) return true;
  }
  return false;
}

/** The columns that name a row. */
function keysOf(db: Db, table: string): string {
  const columns = db.pragma(`table_info(${table})`) as { readonly name: string; readonly pk: number }[];
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => `"${name}"`);
  return keys.length === 0 ? 'rowid' : keys.join(', ');
}

/** In a transaction: nothing remembers it. */
export function forgetVersion(db: Db, version: CollectionVersion): void {
  for (const copy of copiesOfVersion(db, version)) {
    removeTable(db, { ...copy, indexes: {} });
    db.prepare('DELETE FROM checkpoints WHERE projection = ?').run(storedName(copy, copy.generation));
  }
  db.prepare('DELETE FROM generations WHERE name = ? AND version = ?').run(version.name, version.version);
}
