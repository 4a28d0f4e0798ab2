/** Tables of a search index, and their metadata: the spec that they were created with, and the progress of indexing. */
import type { CollectionSpec, SearchSpec } from '../../ports/read-models.js';
import type { Db } from './database.js';
import { blockTables } from './search-blocks.js';

/** Increased when the meaning of stored data changes: indexes of an older format are rebuilt. */
const FORMAT = 3;

export const searchTables = (table: string) => ({
  rows: `${table}__search_rows`,
  blocks: `${table}__search_blocks`,
  slices: `${table}__search_slices`,
});

/** Progress of indexing the documents that are older than the index, in the order of their rows. */
export interface SearchProgress {
  /** Null when all of them are indexed, or the collection is gone. */
  filledTo(): number | null;
  /** In a transaction. */
  setFilledTo(row: number | null): void;
}

/** Creates missing tables. Tables created with another spec or in another format are dropped first. */
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

/** Called for a collection that is not searchable, or no longer is. */
export function dropSearchIndex(db: Db, spec: CollectionSpec, table: string): void {
  if (storedSpec(db, spec) === '') return;
  db.transaction(() => {
    dropTables(db, table);
    storeSpec(db, spec, '');
  }).immediate();
}

/** The last two tables belong to earlier formats. */
function dropTables(db: Db, table: string): void {
  const own = Object.values(searchTables(table));
  for (const name of [...own, `${table}__search_words`, `${table}__search_zones`]) {
    db.exec(`DROP TABLE IF EXISTS ${name}`);
  }
}

/** Empty when the collection is not searchable or does not exist. */
const storedSpec = (db: Db, { name, version }: CollectionSpec): string =>
  (db.prepare('SELECT search FROM collections WHERE name = ? AND version = ?').pluck().get(name, version) as
    string | undefined) ?? '';

const storeSpec = (db: Db, { name, version }: CollectionSpec, value: string): void =>
  void db
    .prepare('UPDATE collections SET search = ? WHERE name = ? AND version = ?')
    .run(value, name, version);
