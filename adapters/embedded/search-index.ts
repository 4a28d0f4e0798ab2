/**
 * Search by word beginnings, over one collection.
 *
 * A narrow table has the words of each document and its sort value. Documents are stored in blocks (search-blocks.ts),
 * and found block by block (search-pages.ts).
 */
import type { CollectionSpec, Document, Search, SearchSpec } from '../../ports/read-models.js';
import { toColumn } from './collection-table.js';
import type { Db } from './database.js';
import { createBlocks } from './search-blocks.js';
import { createFilling } from './search-filling.js';
import type { Order } from './search-order.js';
import { createSearchPages, type SearchPage } from './search-pages.js';
import { ensureSearchTables, searchTables } from './search-tables.js';
import { encode } from './search-words.js';

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
  find(query: Search): SearchPage;
}

/** Documents that move out of a half-empty block with each one that leaves it. */
const MOVED_ALONG = 4;

interface Row {
  readonly place: number;
  readonly scope: string;
  readonly ord: Order;
  readonly words: string;
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
  const prepare = (id: string, doc: Document | null): Searchable | null =>
    searchableOf(spec, search, id, doc);

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
    find: createSearchPages(db, rows, blocks),
  };
}

/** @throws TypeError when a field does not have the type that the spec requires */
function searchableOf(
  { name }: CollectionSpec,
  search: SearchSpec,
  id: string,
  doc: Document | null,
): Searchable | null {
  if (doc === null) return null;
  const what = `${name} ${id}`;
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
