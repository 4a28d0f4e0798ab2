/**
 * Search by word beginnings, over one collection.
 *
 * A narrow table has the words of each document and its sort value. Documents are stored in blocks (search-blocks.ts).
 * Unsealed blocks, at most a few thousand documents per scope, are read directly.
 *
 * The signatures of a sealed block give the candidates: documents that may match. This costs the same for rare and
 * common words, and it is little. The candidates are then read in order until the page is full.
 *
 * A search starts with the block that has the best sort value. It ends when no remaining block can hold a better value
 * than the last one of the page.
 */
import type { CollectionSpec, Document, Search, SearchSpec } from '../../ports/read-models.js';
import { toColumn } from './collection-table.js';
import type { Db, Statement } from './database.js';
import { LIMIT } from './limit.js';
import { createBlocks, firstPlace, type Block } from './search-blocks.js';
import { createFilling } from './search-filling.js';
import { compareOrder, inOrder, type Hit, type Order } from './search-order.js';
import { ensureSearchTables, searchTables } from './search-tables.js';
import { createCandidateFilter, type CandidateFilter } from './search-candidates.js';
import { encode, tellingFirst } from './search-words.js';

/** The part of a document that a search needs. */
export interface Searchable {
  readonly scope: string;
  readonly order: string | number;
  /** Encoded words, each once, each preceded by a space. */
  readonly words: string;
}

export interface SearchIndex {
  /** Null when no word can find it. @throws TypeError when a field does not have the type that the spec requires */
  prepare(id: string, doc: Document | null): Searchable | null;
  /** In a transaction. */
  write(id: string, searchable: Searchable | null): void;
  /** In a transaction: adds some of the documents that are older than the index; false when it has all. */
  fillSome(): boolean;
  /** Share of the documents that are indexed: 1 when a search finds all of them. */
  filled(): number;
  /** Called after a rollback. */
  forget(): void;
  /** Ids of one page in order, and whether more follow. */
  find(query: Search): { readonly ids: readonly string[]; readonly more: boolean };
}

/** Documents that move out of a half-empty block with each one that leaves it. */
const MOVED_ALONG = 4;

interface Row {
  readonly place: number;
  readonly scope: string;
  readonly ord: Order;
  readonly words: string;
}

interface Asked {
  /** Encoded as in `words`, the longest first. */
  readonly beginnings: readonly string[];
  readonly telling: CandidateFilter;
  readonly descending: boolean;
  readonly after: Hit | undefined;
  readonly wanted: number;
}

export function createSearchIndex(
  db: Db,
  spec: CollectionSpec,
  search: SearchSpec,
  table: string,
): SearchIndex {
  const tables = searchTables(table);
  const { rows } = tables;
  const progress = ensureSearchTables(db, spec, search, table);
  const blocks = createBlocks(db, tables);
  const current = db.prepare<unknown[], Row>(`SELECT place, scope, ord, words FROM ${rows} WHERE id = ?`);
  const insertRow = db.prepare(`INSERT INTO ${rows} (place, id, scope, ord, words) VALUES (?, ?, ?, ?, ?)`);
  const updateRow = db.prepare(`UPDATE ${rows} SET ord = ?, words = ? WHERE place = ?`);
  const moveRow = db.prepare(`UPDATE ${rows} SET place = ? WHERE place = ?`);
  const deleteRow = db.prepare(`DELETE FROM ${rows} WHERE place = ?`);
  const between = db.prepare<unknown[], Row>(
    `SELECT place, scope, ord FROM ${rows} WHERE place BETWEEN ? AND ? LIMIT ${MOVED_ALONG}`,
  );
  const at = db
    .prepare<unknown[], readonly [...Hit, string]>(`SELECT ord, id, words FROM ${rows} WHERE place = ?`)
    .raw(true);
  const statements = new Map<string, Statement<Hit>>();

  function prepared(sql: string): Statement<Hit> {
    let statement = statements.get(sql);
    if (!statement) statements.set(sql, (statement = db.prepare<unknown[], Hit>(sql).raw(true)));
    return statement;
  }

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
    return { scope, order: toColumn(order, `${what}: ${search.orderBy}`), words: ` ${[...words].join(' ')}` };
  }

  function write(id: string, next: Searchable | null): void {
    put(id, next);
    blocks.step();
  }

  function put(id: string, next: Searchable | null): void {
    const row = current.get(id);
    if (row && next && row.scope === next.scope) {
      if (row.ord === next.order && row.words === next.words) return;
      if (blocks.allowsChange(row.place, next.order)) {
        updateRow.run(next.order, next.words, row.place);
        return;
      }
    }
    if (row) {
      deleteRow.run(row.place);
      const sparse = blocks.release(row.place);
      for (const other of sparse ? between.all(...sparse) : []) {
        moveRow.run(blocks.take(other.scope, other.ord), other.place);
        blocks.release(other.place);
      }
    }
    if (next) insertRow.run(blocks.take(next.scope, next.order), id, next.scope, next.order, next.words);
  }

  function find(query: Search): { ids: readonly string[]; more: boolean } {
    if (query.prefixes.length === 0 || query.prefixes.includes('')) {
      throw new Error('a search needs at least one prefix, and none that is empty');
    }
    const descending = query.order === 'desc';
    const beginnings = tellingFirst(query.prefixes);
    const asked: Asked = {
      beginnings,
      telling: createCandidateFilter(beginnings.map((beginning) => beginning.slice(1))),
      descending,
      after: query.after && [toColumn(query.after[0], 'a cursor'), String(query.after[1])],
      wanted: query.limit + 1,
    };
    const compare = inOrder(descending);
    const best = ({ low, high }: Block): Order => (descending ? high : low);
    const worst = ({ low, high }: Block): Order => (descending ? low : high);
    const sign = descending ? -1 : 1;
    const reading = blocks
      .of(query.scope)
      .filter((block) => !asked.after || sign * compareOrder(worst(block), asked.after[0]) >= 0)
      .sort((a, b) => sign * compareOrder(best(a), best(b)));
    let hits: readonly Hit[] = [];
    for (const block of reading) {
      const last = hits[asked.wanted - 1];
      if (last && sign * compareOrder(best(block), last[0]) > 0) break;
      const more = block.slices === 0 ? readAll(block, asked) : readCandidates(block, asked, last);
      if (more.length > 0) hits = [...hits, ...more].sort(compare).slice(0, asked.wanted);
    }
    return { ids: hits.slice(0, query.limit).map(([, id]) => id), more: hits.length > query.limit };
  }

  /** The page of a block that is not sealed. */
  function readAll({ block, used }: Block, { beginnings, descending, after, wanted }: Asked): readonly Hit[] {
    const direction = descending ? 'DESC' : 'ASC';
    const sql =
      `SELECT ord, id FROM ${rows} WHERE place >= ? AND place < ? ` +
      'AND instr(words, ?) > 0 '.repeat(beginnings.length) +
      (after ? `AND (ord, id) ${descending ? '<' : '>'} (?, ?) ` : '') +
      `ORDER BY ord ${direction}, id ${direction} ${LIMIT}`;
    const first = firstPlace(block);
    return prepared(sql).all(first, first + used, ...beginnings, ...(after ?? []), wanted);
  }

  /** The page of a sealed block, limited to hits that sort before those already found in other blocks. */
  function readCandidates(whole: Block, asked: Asked, before: Hit | undefined): readonly Hit[] {
    const { beginnings, telling, descending, after, wanted } = asked;
    const { block } = whole;
    const meant = telling.candidates(whole, (slice) => blocks.slice(block, slice));
    if (!meant) return [];
    const compare = inOrder(descending);
    const first = firstPlace(block);
    const order = blocks.order(block);
    const rowOf = (nth: number): readonly [...Hit, string] | undefined => at.get(first + (order[nth] ?? NaN));

    const found: Hit[] = [];
    const next = descending ? -1 : 1;
    let nth = descending ? order.length - 1 : 0;
    if (after) nth = startOf(order.length, descending, (place) => rowOf(place), after);
    for (; nth >= 0 && nth < order.length && found.length < wanted; nth += next) {
      const bits = meant[nth >> 3]!;
      // Most bytes are empty: skip to the last bit of this one.
      if (bits === 0) nth = descending ? nth & ~7 : nth | 7;
      if ((bits & (1 << (nth & 7))) === 0) continue;
      const row = rowOf(nth);
      // The document has moved away, or its bits are set by chance.
      if (!row || !beginnings.every((beginning) => row[2].includes(beginning))) continue;
      const hit: Hit = [row[0], row[1]];
      if (after && compare(hit, after) <= 0) continue;
      if (before && compare(hit, before) > 0) break;
      found.push(hit);
    }
    return found;
  }

  const filling = createFilling(db, table, progress, {
    put: (id, doc) => write(id, prepare(id, doc)),
    step: () => blocks.step(),
  });
  return {
    prepare,
    write,
    fillSome: () => filling.some(),
    forget() {
      blocks.forget();
      filling.forget();
    },
    filled: () => filling.share(),
    find,
  };
}

/**
 * Index at which a sealed block continues after a sort key. It is not always exact, since documents may have moved
 * away.
 */
function startOf(
  length: number,
  descending: boolean,
  rowOf: (nth: number) => readonly [...Hit, string] | undefined,
  after: Hit,
): number {
  const compare = inOrder(false);
  // In ascending order, all before `low` sort before the key, and all from `high` on sort after it.
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    let nth = middle;
    let row = rowOf(nth);
    while (!row && nth + 1 < high) row = rowOf((nth += 1));
    if (!row) high = middle;
    else if (compare([row[0], row[1]], after) < 0) low = nth + 1;
    else high = middle;
  }
  return descending ? low - 1 : low;
}
