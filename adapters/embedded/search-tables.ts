/** Tables of a search index, and what is on record of them: the spec they were made by, and how much they hold. */
import type { CollectionSpec, SearchSpec } from '../../ports/read-models.js';
import type { Db } from './database.js';
import { blockTables } from './search-blocks.js';

/** Raised when what is stored changes its meaning: indexes of an older format are made again. */
const FORMAT = 3;

export const searchTables = (table: string) => ({
  rows: `${table}__search_rows`,
  blocks: `${table}__search_blocks`,
  slices: `${table}__search_slices`,
});

/** How far the documents that were there before the index have been taken in, in the order of their rows. */
export interface SearchProgress {
  /** Null when all have, or the collection is gone. */
  filledTo(): number | null;
  /** In a transaction. */
  setFilledTo(row: number | null): void;
}

/** Makes what is missing. What is there and was made by another spec, or in another format, is thrown away. */
export function ensureSearchTables(
  db: Db,
  spec: CollectionSpec,
  search: SearchSpec,
  table: string,
): SearchProgress {
  const { rows, blocks, slices } = searchTables(table);
  const whole = JSON.stringify({ format: FORMAT, ...search });
  const partly = (row: number): string => JSON.stringify({ format: FORMAT, ...search, filled_to: row });

  function filledTo(): number | null {
    const { filled_to: row, ...made } = JSON.parse(storedSpec(db, spec) || '{}') as { filled_to?: number };
    return row !== undefined && JSON.stringify(made) === whole ? row : null;
  }

  db.transaction(() => {
    if (storedSpec(db, spec) !== whole && filledTo() === null) {
      dropTables(db, table);
      storeSpec(db, spec, partly(0));
    }
    db.exec(
      `CREATE TABLE IF NOT EXISTS ${rows} (
         place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope TEXT NOT NULL, ord NOT NULL, words TEXT NOT NULL
       );
       ${blockTables(blocks, slices)}`,
    );
  }).immediate();
  return { filledTo, setFilledTo: (row) => storeSpec(db, spec, row === null ? whole : partly(row)) };
}

/** Called for a collection that is not, or no longer, searchable. */
export function dropSearchIndex(db: Db, spec: CollectionSpec, table: string): void {
  if (storedSpec(db, spec) === '') return;
  db.transaction(() => {
    dropTables(db, table);
    storeSpec(db, spec, '');
  }).immediate();
}

/** The last two are those of formats before. */
function dropTables(db: Db, table: string): void {
  const own = Object.values(searchTables(table));
  for (const name of [...own, `${table}__search_words`, `${table}__search_zones`]) {
    db.exec(`DROP TABLE IF EXISTS ${name}`);
  }
}

/** Empty for a collection that is not searchable, or not there. */
const storedSpec = (db: Db, { name, version }: CollectionSpec): string =>
  (db.prepare('SELECT search FROM collections WHERE name = ? AND version = ?').pluck().get(name, version) as
    string | undefined) ?? '';

const storeSpec = (db: Db, { name, version }: CollectionSpec, value: string): void =>
  void db
    .prepare('UPDATE collections SET search = ? WHERE name = ? AND version = ?')
    .run(value, name, version);
