/**
 * One table per collection and version: the document as text, or compressed (packing.ts), and a real column for each
 * indexed field.
 */
import { readableOrNull, type CollectionSpec, type IndexValue } from '../../ports/read-models.js';
import type { Db } from './database.js';
import { unpack, type Stored } from './packing.js';
import { noteRemovals } from './removed-documents.js';
import { columnsOf } from './table-columns.js';

export interface CollectionTable {
  readonly table: string;
  readonly fields: readonly string[];
  readonly indexName: (index: string) => string;
}

/** One generation of one version. */
export type Copy = Pick<CollectionSpec, 'name' | 'version' | 'generation'>;

const suffix = (generation: number | undefined, sign: string): string =>
  generation === undefined || generation === 1 ? '' : `${sign}${generation}`;

/** The first generation keeps the names that collections had before generations existed. */
export const tableOf = ({ name, version, generation }: Copy): string =>
  `rm_${name}_v${version}${suffix(generation, '_g')}`;

/** Value of `collections.name` for a copy. */
export const collectionKey = ({ name, generation }: Copy): string => `${name}${suffix(generation, '#')}`;

/** The copy that a `collections.name` belongs to. */
export function copyOf(key: string): Pick<CollectionSpec, 'name' | 'generation'> {
  const [name = key, generation] = key.split('#');
  return { name, ...(generation === undefined ? {} : { generation: Number(generation) }) };
}

const NAME = /^[a-z][a-z0-9_]*$/;
const BATCH = 500;

/**
 * SQLite's substitute for null that works inside a row-value comparison: it sorts below every number and every text.
 * JSON has no infinity, so no document can hold this value itself.
 */
export const LOWEST = Number.NEGATIVE_INFINITY;

/**
 * Value to store in an indexed column, or to compare with it: LOWEST for everything that JSON writes as null.
 * @param what names the value in the error
 * @throws TypeError when it is neither a string, a number nor null
 */
export const toColumn = (value: unknown, what: string): string | number => {
  if (value === null || value === undefined) return LOWEST;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : LOWEST;
  throw new TypeError(`${what} is indexed and must be a string, a number or null`);
};

/** Value of an indexed field for a cursor: null where the column holds LOWEST. */
export const fromDocument = (doc: Readonly<Record<string, unknown>>, field: string): IndexValue => {
  const value = doc[field];
  return typeof value === 'string' || typeof value === 'number' ? value : null;
};

/**
 * Removed documents have SQL's NULL in every indexed column, and live ones never do (see LOWEST). Applied to the first
 * field, this condition excludes removed documents from an index without reading the table.
 */
export const isLive = ([first = '']: readonly string[]): string => `${column(first)} IS NOT NULL`;

/** Condition for the documents in the index of `idsBegin`: the id does not begin like the first field. */
export const isApart = (first: string, characters: number): string =>
  `substr(id, 1, ${characters}) <> substr(${column(first)}, 1, ${characters})`;

/** The indexes as `collections` remembers them. One that changes is made anew. */
const declared = ({ indexes, idsBegin }: CollectionSpec): CollectionSpec['indexes'] =>
  idsBegin
    ? { ...indexes, [idsBegin.index]: [...(indexes[idsBegin.index] ?? []), `apart:${idsBegin.characters}`] }
    : indexes;

/** Creates the table, or updates the columns and indexes of an existing one to the spec, keeping its documents. */
export function ensureTable(db: Db, spec: CollectionSpec): CollectionTable {
  for (const name of [spec.name, ...Object.keys(spec.indexes), ...Object.values(spec.indexes).flat()]) {
    if (!NAME.test(name)) throw new Error(`collection ${spec.name}: "${name}" is not a usable name`);
  }
  for (const [name, list] of Object.entries(spec.indexes)) {
    if (list.length === 0) throw new Error(`collection ${spec.name}: index ${name} has no fields`);
  }
  if (spec.idsBegin && !spec.indexes[spec.idsBegin.index])
    throw new Error(`collection ${spec.name}: there is no index ${spec.idsBegin.index} to find ids by`);
  const table = tableOf(spec);
  const rowName = collectionKey(spec);
  const fields = [...new Set(Object.values(spec.indexes).flat())];
  const indexName = (index: string): string => `${table}__${index}`;
  db.transaction(() => {
    const known = db
      .prepare<unknown[], string>('SELECT indexes FROM collections WHERE name = ? AND version = ?')
      .pluck()
      .get(rowName, spec.version);
    const wanted = declared(spec);
    if (known !== JSON.stringify(wanted)) bringUp(known, wanted);
    if (spec.forgets) noteRemovals(db, table);
  }).immediate();
  return { table, fields, indexName };

  /**
   * @param known indexes of the table's last declaration, as JSON; undefined for a new table
   * @param wanted indexes of the spec
   */
  function bringUp(known: string | undefined, wanted: CollectionSpec['indexes']): void {
    // A new table gets all columns at once: SQLite reads its whole schema again for each column that is added.
    const columns = fields.map((field) => `, ${column(field)}`).join('');
    db.exec(
      `CREATE TABLE IF NOT EXISTS ${table} (id TEXT PRIMARY KEY NOT NULL, version TEXT NOT NULL, doc TEXT${columns})`,
    );
    addColumns(db, table, fields);
    const before = JSON.parse(known ?? '{}') as CollectionSpec['indexes'];
    for (const [name, list] of Object.entries(before)) {
      if (wanted[name]?.join() !== list.join()) db.exec(`DROP INDEX IF EXISTS ${indexName(name)}`);
    }
    for (const [name, list] of Object.entries(spec.indexes)) {
      const keys = [...list.map(column), 'id'].join(', ');
      const apart =
        name === spec.idsBegin?.index ? ` AND ${isApart(list[0]!, spec.idsBegin.characters)}` : '';
      db.exec(
        `CREATE INDEX IF NOT EXISTS ${indexName(name)} ON ${table} (${keys}) WHERE ${isLive(list)}${apart}`,
      );
    }
    db.prepare(
      `INSERT INTO collections (name, version, indexes) VALUES (?, ?, ?)
       ON CONFLICT (name, version) DO UPDATE SET indexes = excluded.indexes`,
    ).run(rowName, spec.version, JSON.stringify(wanted));
  }
}

/** No declared type: values keep the type they have. */
export const column = (field: string): string => `"f_${field}"`;

function addColumns(db: Db, table: string, fields: readonly string[]): void {
  const present = new Set(columnsOf(db, table).map(({ name }) => name));
  const missing = fields.filter((field) => !present.has(`f_${field}`));
  if (missing.length === 0) return;
  for (const field of missing) db.exec(`ALTER TABLE ${table} ADD COLUMN ${column(field)}`);

  const page = db.prepare<unknown[], { place: number; id: string; doc: Stored }>(
    `SELECT rowid AS place, id, doc FROM ${table} WHERE rowid > ? AND doc IS NOT NULL ORDER BY rowid LIMIT ${BATCH}`,
  );
  const update = db.prepare(
    `UPDATE ${table} SET ${missing.map((field) => `${column(field)} = ?`).join(', ')} WHERE rowid = ?`,
  );
  let after = 0;
  for (;;) {
    const rows = page.all(after);
    for (const row of rows) {
      const doc = readableOrNull(unpack(row.doc)) ?? {};
      update.run(...missing.map((field) => toColumn(doc[field], `${table} ${row.id}: ${field}`)), row.place);
      after = row.place;
    }
    if (rows.length < BATCH) return;
  }
}

/**
 * The table of a copy and the tables named after it, which hold its search index. Virtual tables come first, because
 * dropping one also drops its own tables (`shadow`).
 */
export function tablesOf(
  db: Db,
  copy: Copy,
): readonly { readonly name: string; readonly type: 'table' | 'virtual' | 'shadow' }[] {
  const table = tableOf(copy);
  return db
    .prepare<unknown[], ReturnType<typeof tablesOf>[number]>(
      `SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND (name = ? OR name GLOB ?)
       ORDER BY type = 'virtual' DESC`,
    )
    .all(table, `${table}__*`);
}

/** Removes a copy with everything that belongs to it. In a transaction. */
export function removeTable(db: Db, copy: Copy): void {
  for (const { name } of tablesOf(db, copy)) db.exec(`DROP TABLE IF EXISTS ${name}`);
  db.prepare('DELETE FROM collections WHERE name = ? AND version = ?').run(collectionKey(copy), copy.version);
}
