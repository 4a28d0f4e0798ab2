/**
 * Search by the beginnings of words, over one collection.
 *
 * The words are in an FTS5 index without content; a slim table beside it says which document a row is, and where it
 * comes in the order of results. FTS5 walks the rows of a match lazily in the order of their numbers, however broad
 * the words and however many of them, and cheaply only in that order. So rows are numbered as documents arrive, which
 * is nearly the order asked for when that is the time they were made, and each zone of consecutive numbers knows the
 * lowest and highest sort value in it: a search reads whole zones and ends as soon as no zone left can hold anything
 * that belongs on the page. That is exact for every order, and fast for those that follow arrival.
 */
import { createHash } from 'node:crypto';
import type { CollectionSpec, Document, IndexValue, Search, SearchSpec } from '../../ports/read-models.js';
import { LOWEST, toColumn } from './collection-table.js';
import type { Db, Statement } from './database.js';

/** What a search needs to know of a document. */
export interface Searchable {
  readonly scope: string;
  readonly order: string | number;
  /** Encoded words, each once, in one text. */
  readonly words: string;
}

export interface SearchIndex {
  /** Null when it can't be found by any word. @throws TypeError when a field is not of the kind that the spec says */
  prepare(id: string, doc: Document | null): Searchable | null;
  /** In a transaction. */
  write(id: string, searchable: Searchable | null): void;
  /** Ids of one page in order, and whether more follow. */
  find(query: Search): { readonly ids: readonly string[]; readonly more: boolean };
  /** The statement of a search, for tests that look at its query plan. */
  searchSql(order: 'asc' | 'desc', paged: boolean): string;
}

/** Raised when what is stored changes its meaning: indexes of an older format are made again. */
const FORMAT = 1;
const ZONE = 256;
const ERA = 64 * ZONE;
const BATCH = 500;
/** Hex characters that stand for a scope in front of each term. */
const SCOPE_LENGTH = 12;
/** Beginnings of up to this many characters are terms of their own; longer ones are merged out of their words. */
const LISTED = 6;

interface Row {
  readonly place: number;
  readonly scope: string;
  readonly ord: string | number;
  readonly words: string;
}

type Hit = readonly [place: number, ord: string | number, id: string];
type Zone = readonly [zone: number, low: string | number, high: string | number];

export function createSearchIndex(
  db: Db,
  spec: CollectionSpec,
  search: SearchSpec,
  table: string,
): SearchIndex {
  const { rows, zones, words } = names(table);
  ensureTables(db, table);

  const current = db.prepare(`SELECT place, scope, ord, words FROM ${rows} WHERE id = ?`);
  const insertRow = db.prepare(`INSERT INTO ${rows} (id, scope, ord, words) VALUES (?, ?, ?, ?)`);
  const updateRow = db.prepare(`UPDATE ${rows} SET words = ? WHERE place = ?`);
  const deleteRow = db.prepare(`DELETE FROM ${rows} WHERE place = ?`);
  const insertWords = db.prepare(`INSERT INTO ${words} (rowid, terms) VALUES (?, ?)`);
  const deleteWords = db.prepare(`INSERT INTO ${words} (${words}, rowid, terms) VALUES ('delete', ?, ?)`);
  const widen = db.prepare(
    `INSERT INTO ${zones} (scope, zone, low, high) VALUES (?, ?, ?, ?) ON CONFLICT (scope, zone)
     DO UPDATE SET low = min(low, excluded.low), high = max(high, excluded.high)`,
  );
  const zonesOf = db.prepare(`SELECT zone, low, high FROM ${zones} WHERE scope = ? ORDER BY zone`).raw(true);
  const statements = new Map<string, Statement>();

  function prepared(sql: string): Statement {
    let statement = statements.get(sql);
    if (!statement) statements.set(sql, (statement = db.prepare(sql).raw(true)));
    return statement;
  }

  // CROSS JOIN: the words lead, so that rows come in the order of their numbers and only as far as they are read.
  const searchSql = (order: 'asc' | 'desc', paged: boolean): string =>
    `SELECT r.place, r.ord, r.id FROM ${words} AS w CROSS JOIN ${rows} AS r ON r.place = w.rowid ` +
    `WHERE w.${words} MATCH ? AND w.rowid ${order === 'asc' ? '>=' : '<='} ? AND r.scope = ? ` +
    (paged ? `AND (r.ord, r.id) ${order === 'asc' ? '>' : '<'} (?, ?) ` : '') +
    `ORDER BY w.rowid ${order}`;

  function prepare(id: string, doc: Document | null): Searchable | null {
    if (doc === null) return null;
    const what = `${spec.name} ${id}`;
    const { [search.scope]: scope, [search.words]: list, [search.orderBy]: order } = doc;
    if (typeof scope !== 'string') throw new TypeError(`${what}: ${search.scope} must be a string`);
    if (typeof order === 'number') throw new TypeError(`${what}: ${search.orderBy} must be a string or null`);
    if (list === undefined || list === null) return null;
    if (!Array.isArray(list) || !list.every((word) => typeof word === 'string')) {
      throw new TypeError(`${what}: ${search.words} must be a list of strings`);
    }
    const words = new Set(list.filter((word) => word !== '').map(encode));
    if (words.size === 0) return null;
    return { scope, order: toColumn(order, `${what}: ${search.orderBy}`), words: [...words].join(' ') };
  }

  function write(id: string, next: Searchable | null): void {
    const row = current.get(id) as Row | undefined;
    if (row && next && row.ord === next.order && row.scope === next.scope) {
      if (row.words === next.words) return;
      replaceWords(row, next.words);
      return;
    }
    if (row) {
      deleteWords.run(row.place, [...termsOf(row.place, row)].join(' '));
      deleteRow.run(row.place);
    }
    if (!next) return;
    // A new number also for a new order alone: it keeps numbers near the order.
    const place = Number(insertRow.run(id, next.scope, next.order, next.words).lastInsertRowid);
    insertWords.run(place, [...termsOf(place, next)].join(' '));
    widen.run(next.scope, Math.floor(place / ZONE), next.order, next.order);
  }

  /** Only what differs: taking a term out rewrites its page. */
  function replaceWords(row: Row, words: string): void {
    const before = termsOf(row.place, row);
    const after = termsOf(row.place, { scope: row.scope, words });
    const gone = [...before].filter((term) => !after.has(term));
    const come = [...after].filter((term) => !before.has(term));
    // FTS5 counts rows by these two: a deletion has to come with an insertion.
    if (gone.length > 0) deleteWords.run(row.place, gone.join(' '));
    insertWords.run(row.place, come.join(' '));
    updateRow.run(words, row.place);
  }

  function find(query: Search): { ids: readonly string[]; more: boolean } {
    if (query.prefixes.length === 0 || query.prefixes.includes('')) {
      throw new Error('a search needs at least one prefix, and none that is empty');
    }
    const descending = query.order === 'desc';
    const after = query.after && ([toColumn(query.after[0], 'a cursor'), String(query.after[1])] as const);
    const list = zonesOf.all(query.scope) as Zone[];
    if (descending) list.reverse();
    const best = (zone: Zone): string | number => (descending ? zone[2] : zone[1]);
    const worst = (zone: Zone): string | number => (descending ? zone[1] : zone[2]);
    const sign = descending ? -1 : 1;
    // Zones that lie wholly before the page need not be looked at, as long as they come first.
    const first = list.findIndex((zone) => !after || sign * compareOrder(worst(zone), after[0]) >= 0);
    if (first < 0) return { ids: [], more: false };
    const reading = list.slice(first);
    // The best sort value of everything that comes after a zone.
    const beyond = reading.map(best);
    for (let index = beyond.length - 2; index >= 0; index -= 1) {
      if (sign * compareOrder(beyond[index + 1]!, beyond[index]!) < 0) beyond[index] = beyond[index + 1]!;
    }

    const byOrder = (a: Hit, b: Hit): number => sign * (compareOrder(a[1], b[1]) || compareText(a[2], b[2]));
    const wanted = query.limit + 1;
    let hits: Hit[] = [];
    let at = 0;
    const from = descending ? (reading[0]![0] + 1) * ZONE - 1 : reading[0]![0] * ZONE;
    const prefixes = [...new Set(query.prefixes)].map(encode);
    const rowsOf = prepared(searchSql(query.order, after !== undefined));
    const eras = [...new Set(reading.map(([zone]) => Math.floor((zone * ZONE) / ERA)))];
    /** False when no zone from here on can add to the page. */
    const enter = (zone: number): boolean => {
      while (at < reading.length - 1 && sign * (reading[at]![0] - zone) < 0) at += 1;
      hits = hits.sort(byOrder).slice(0, wanted);
      const last = hits[wanted - 1];
      return !last || sign * compareOrder(beyond[at]!, last[1]) <= 0;
    };
    search: for (const era of eras) {
      const head = termHead(query.scope, era);
      const match = prefixes.map((prefix) => matching(head, prefix)).join(' AND ');
      const found = rowsOf.iterate(match, from, query.scope, ...(after ?? [])) as Iterable<Hit>;
      for (const hit of found) {
        const zone = Math.floor(hit[0] / ZONE);
        if (reading[at]![0] !== zone && !enter(zone)) break search;
        hits.push(hit);
      }
    }
    hits = hits.sort(byOrder).slice(0, wanted);
    return { ids: hits.slice(0, query.limit).map(([, , id]) => id), more: hits.length > query.limit };
  }

  const index: SearchIndex = { prepare, write, find, searchSql };
  fill(db, spec, search, table, index);
  return index;
}

/** Called for a collection that is not, or no longer, searchable. */
export function dropSearchIndex(db: Db, spec: CollectionSpec, table: string): void {
  if (storedSpec(db, spec) === '') return;
  const { rows, zones, words } = names(table);
  db.transaction(() => {
    for (const name of [words, zones, rows]) db.exec(`DROP TABLE IF EXISTS ${name}`);
    storeSpec(db, spec, '');
  }).immediate();
}

const names = (table: string) => ({
  rows: `${table}__search_rows`,
  zones: `${table}__search_zones`,
  words: `${table}__search_words`,
});

function ensureTables(db: Db, table: string): void {
  const { rows, zones, words } = names(table);
  db.transaction(() => {
    db.exec(
      `CREATE TABLE IF NOT EXISTS ${rows} (
         place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope TEXT NOT NULL, ord NOT NULL, words TEXT NOT NULL
       );
       CREATE TABLE IF NOT EXISTS ${zones} (
         scope TEXT NOT NULL, zone INTEGER NOT NULL, low NOT NULL, high NOT NULL, PRIMARY KEY (scope, zone)
       ) WITHOUT ROWID;`,
    );
    const present = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(words);
    if (present) return;
    db.exec(
      `CREATE VIRTUAL TABLE ${words} USING fts5(terms, content='', columnsize=0, detail=none, tokenize='ascii')`,
    );
    // Words that are taken out leave the file's index at once: they may belong to somebody who asked to be forgotten.
    db.exec(`INSERT INTO ${words} (${words}, rank) VALUES ('secure-delete', 1)`);
  }).immediate();
}

/** Makes the index out of the documents that are there, when it was not made by this spec. */
function fill(db: Db, spec: CollectionSpec, search: SearchSpec, table: string, index: SearchIndex): void {
  const wanted = JSON.stringify({ format: FORMAT, ...search });
  if (storedSpec(db, spec) === wanted) return;
  const { rows, zones, words } = names(table);
  const page = db.prepare(
    `SELECT rowid AS place, id, doc FROM ${table} WHERE rowid > ? AND doc IS NOT NULL ORDER BY rowid LIMIT ${BATCH}`,
  );
  db.transaction(() => {
    db.exec(`DELETE FROM ${rows}; DELETE FROM ${zones};`);
    db.exec(`INSERT INTO ${words} (${words}) VALUES ('delete-all')`);
    let after = 0;
    for (;;) {
      const batch = page.all(after) as { place: number; id: string; doc: string }[];
      for (const row of batch) {
        index.write(row.id, index.prepare(row.id, JSON.parse(row.doc) as Document));
        after = row.place;
      }
      if (batch.length < BATCH) break;
    }
    storeSpec(db, spec, wanted);
  }).immediate();
}

const storedSpec = (db: Db, { name, version }: CollectionSpec): unknown =>
  db.prepare('SELECT search FROM collections WHERE name = ? AND version = ?').pluck().get(name, version);

const storeSpec = (db: Db, { name, version }: CollectionSpec, value: string): void =>
  void db
    .prepare('UPDATE collections SET search = ? WHERE name = ? AND version = ?')
    .run(value, name, version);

const scopes = new Map<string, string>();

/** The rows' own scope is what decides. */
function scopeTerm(scope: string): string {
  let term = scopes.get(scope);
  if (term === undefined) {
    if (scopes.size >= 1_000) scopes.clear();
    term = createHash('sha256').update(scope).digest('hex').slice(0, SCOPE_LENGTH);
    scopes.set(scope, term);
  }
  return term;
}

/** Keeps companies apart inside the index, and eras: the length in front makes the era's end plain. */
function termHead(scope: string, era: number): string {
  const number = era.toString(36);
  return `${scopeTerm(scope)}${number.length}${number}`;
}

/** Each word and each of its listed beginnings, after its scope and era. The digit keeps the two apart. */
function termsOf(place: number, { scope, words }: Pick<Searchable, 'scope' | 'words'>): Set<string> {
  const head = termHead(scope, Math.floor(place / ERA));
  const terms = new Set<string>();
  for (const word of words.split(' ')) {
    for (let length = 1; length <= Math.min(LISTED, word.length); length += 1) {
      terms.add(`${head}1${word.slice(0, length)}`);
    }
    if (word.length > LISTED) terms.add(`${head}0${word}`);
  }
  return terms;
}

const matching = (head: string, prefix: string): string =>
  prefix.length <= LISTED ? `"${head}1${prefix}"` : `"${head}0${prefix}"*`;

/**
 * FTS5's ascii tokenizer splits at ASCII punctuation and folds ASCII capitals, so whatever is not a small letter or a
 * digit is written as characters that it leaves alone. The beginning of a word stays the beginning of its encoding.
 */
function encode(word: string): string {
  return word.replace(/[^a-z0-9]+/g, (other) =>
    String.fromCharCode(...Array.from(Buffer.from(other), (byte) => 0x100 + byte)),
  );
}

/** As SQLite sorts: LOWEST, then texts by their bytes. */
function compareOrder(a: string | number, b: string | number): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  return (a === LOWEST ? 0 : 1) - (b === LOWEST ? 0 : 1);
}

const compareText = (a: string, b: string): number =>
  a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Sort key of a document, as cursors carry it. */
export const searchKey = (search: SearchSpec, id: string, doc: Document): readonly IndexValue[] => {
  const order = doc[search.orderBy];
  return [typeof order === 'string' ? order : null, id];
};
