/** One collection: its documents by id, those that are newer than its table, the results of its queries, and its search. */
import {
  SearchNotReady,
  storedDocument,
  type CollectionSpec,
  type Document,
  type Find,
  type Forget,
  type Forgotten,
  type Found,
  type Search,
  type StoredDocument,
} from '../../ports/read-models.js';
import { createChanges } from './changes.js';
import { collectionKey, ensureTable, removeTable } from './collection-table.js';
import { createQueries, MAX_PAGE, type CollectionQueries } from './collection-queries.js';
import type { Db } from './database.js';
import { LIMIT } from './limit.js';
import { createQueryCache, type DocumentCache } from './document-cache.js';
import { createRowWriter, scanned, type StoredRow } from './document-rows.js';
import type { Packer } from './packer.js';
import { createPreparedWrites, makeAll, type PreparedWrites } from './prepared-writes.js';
import { createForgetting } from './removed-documents.js';
import { createSearchIndex } from './search-index.js';
import { searchKey } from './search-order.js';
import { dropSearchIndex } from './search-tables.js';
import { createUnflushed, type PreparedWrite } from './unflushed.js';
import { pageSize } from '../../ports/page-size.js';

export interface Collection
  extends PreparedWrites, Pick<CollectionQueries, 'count' | 'scan' | 'findSql' | 'countSql'> {
  readonly spec: CollectionSpec;
  /** In a transaction, after `flush`. False when the stored version is the same or higher: the document stays as it is. */
  write(prepared: PreparedWrite): boolean;
  /**
   * In a transaction: every read sees the document from here on, its table gets it later (`flush`). Only for documents
   * that can be derived from the history again, and newer than the stored one.
   */
  stage(prepared: PreparedWrite): void;
  /**
   * Outside of a transaction: as `stage`, for documents of other origin. False when the known version is the same or
   * higher: the document stays as it is.
   */
  stageNow(prepared: PreparedWrite): boolean;
  /** Makes what the rows of these documents will hold, so that the transaction need not. */
  makeRows(ids: readonly string[]): Promise<void>;
  /** Ids of the documents that are newer than the table. */
  unflushed(): readonly string[];
  /** How many they are. */
  waiting(): number;
  /** In a transaction: writes these of them, or all, into the table. */
  flush(ids?: readonly string[]): void;
  committed(): void;
  /** Drops cached state, which may never have been committed. */
  rolledBack(): void;
  /**
   * Whether the transaction under way has changed one of these documents, or any. What it has only moved into the table
   * (`flush`) reads as before.
   */
  isChanging(ids?: readonly string[]): boolean;
  /** Whether a transaction under way keeps one of these documents from being staged: its end would replace what is. */
  isMoving(ids: readonly string[]): boolean;
  get<T>(id: string): StoredDocument<T> | undefined;
  /** Version of a removed document; undefined for a live document and for an unknown id. */
  removedAt(id: string): string | undefined;
  find<T>(query: Find): Found<T>;
  /** @throws Error when the collection declares no search; SearchNotReady while documents are missing from its index */
  search<T>(query: Search): Found<T>;
  /** Share of the documents that a search covers; 1 when the index is complete, or no search is declared. */
  searchable(): number;
  /** In a transaction: adds some more documents to the index; false when it has all. */
  fillSearch(): boolean;
  /**
   * A copy that is not live is not cached: no GET reads it, and it must not displace the documents of the live copy.
   */
  setLive(live: boolean): void;
  /** In a transaction: removes up to `limit` documents; false when none are left. */
  removeSome(limit: number): boolean;
  /** In a transaction. @throws Error when the collection does not declare `forgets` */
  forgetRemoved(slice: Forget): Forgotten;
  /** In a transaction: removes everything. The collection can't be used any more. */
  dropTable(): void;
}

/** Larger results are not worth caching. */
const SMALL_RESULT = 20;

export function createCollection(
  db: Db,
  spec: CollectionSpec,
  { documents, packer }: { readonly documents: DocumentCache; readonly packer: Packer },
): Collection {
  const { table, fields, indexName } = ensureTable(db, spec);
  const writeRow = createRowWriter(db, table, fields, spec.forgets === true);
  const byId = db.prepare<unknown[], StoredRow>(
    `SELECT id, version, doc FROM ${table} WHERE id = ? AND doc IS NOT NULL`,
  );
  const removedVersion = db
    .prepare<unknown[], string>(`SELECT version FROM ${table} WHERE id = ? AND doc IS NULL`)
    .pluck();
  const versionOf = db.prepare<unknown[], string>(`SELECT version FROM ${table} WHERE id = ?`).pluck();
  // Each generation has its own search index.
  const keyed = { ...spec, name: collectionKey(spec) };
  const index = spec.search && createSearchIndex(db, keyed, spec.search, table);
  if (!index) dropSearchIndex(db, keyed, table);
  const results = createQueryCache();
  const newer = createUnflushed(fields);
  const changes = createChanges();
  const { find, ...queries } = createQueries(db, spec, { table, indexName }, newer);
  let live = true;
  // Compressed documents are large and seldom read.
  const caches = (): boolean => live && spec.packed !== true;
  const forgetting = spec.forgets && createForgetting(db, table);
  const removable = db.prepare<unknown[], string>(`SELECT id FROM ${table} ${LIMIT}`).pluck();
  const remove = db.prepare(`DELETE FROM ${table} WHERE id = ?`);

  function writeIntoTable({ document, values, searchable, stored }: PreparedWrite): boolean {
    const { id, doc, version } = document;
    if (!writeRow({ id, version, doc: stored(), values })) return false;
    index?.write(id, searchable);
    results.clear();
    if (doc === null || !caches()) documents.drop(table, id);
    else documents.put(table, { id, doc, version });
    return true;
  }

  function get<T>(id: string): StoredDocument<T> | undefined {
    const fresh = newer.get(id)?.document;
    if (fresh) return fresh.doc === null ? undefined : { id, doc: fresh.doc as T, version: fresh.version };
    const known = live ? documents.get(table, id) : undefined;
    if (known) return known as StoredDocument<T>;
    const row = byId.get(id);
    if (!row) return undefined;
    const found = storedDocument<T>(spec.name, scanned(row));
    if (caches()) documents.put(table, found);
    return found;
  }

  return {
    spec,
    ...createPreparedWrites(spec, fields, index, packer),
    ...queries,
    write(prepared) {
      changes.note(prepared.document.id);
      return writeIntoTable(prepared);
    },
    stage(write) {
      const { id, version } = write.document;
      if ((newer.get(id)?.document.version ?? '') >= version) return;
      changes.note(id);
      newer.put(write);
      results.clear();
    },
    stageNow(write) {
      const { id, version } = write.document;
      const known =
        newer.get(id)?.document.version ??
        (live ? documents.get(table, id)?.version : undefined) ??
        versionOf.get(id);
      if (known !== undefined && known >= version) return false;
      newer.putNow(write);
      results.clear();
      return true;
    },
    async makeRows(ids) {
      await makeAll(ids.map((id) => newer.get(id)).filter((write) => write !== undefined));
    },
    unflushed: () => newer.ids(),
    waiting: () => newer.size(),
    flush(ids = newer.ids()) {
      for (const id of ids) {
        const newest = newer.get(id);
        if (!newest) continue;
        writeIntoTable(newest);
        newer.remove(id);
      }
    },
    committed() {
      newer.committed();
      changes.end();
    },
    rolledBack() {
      newer.rolledBack();
      changes.end();
      results.clear();
      index?.forget();
    },
    isChanging: (ids) => (ids ? ids.some((id) => changes.has(id)) : changes.some()),
    isMoving: (ids) => ids.some((id) => newer.isChanging(id)),
    get,
    removedAt(id) {
      const fresh = newer.get(id)?.document;
      return fresh?.doc === null ? fresh.version : removedVersion.get(id);
    },
    find<T>(query: Find) {
      const known = results.get(query);
      if (known) return known as Found<T>;
      const found = find<T>(query);
      if (live && found.documents.length <= SMALL_RESULT) results.put(query, found);
      return found;
    },
    search<T>(query: Search) {
      if (!index || !spec.search) throw new Error(`collection ${spec.name} declares no search`);
      const filled = index.filled();
      if (filled < 1) throw new SearchNotReady(spec.name, filled);
      const limit = pageSize(query.limit, MAX_PAGE);
      const { ids, more } = index.find({ ...query, limit });
      const documents = ids.map((id) => get<T>(id)!);
      const last = documents[documents.length - 1];
      const next = more && last ? searchKey(spec.search, last.id, last.doc as Document) : null;
      return { documents, next };
    },
    searchable: () => index?.filled() ?? 1,
    fillSearch() {
      changes.noteAll();
      return index?.fillSome() ?? false;
    },
    setLive(next) {
      live = next;
      results.clear();
    },
    removeSome(limit) {
      changes.noteAll();
      const ids = removable.all(limit);
      for (const id of ids) {
        remove.run(id);
        index?.write(id, null);
        documents.drop(table, id);
      }
      return ids.length === limit;
    },
    forgetRemoved(slice) {
      if (!forgetting) throw new Error(`collection ${spec.name} does not declare that it forgets`);
      changes.noteAll();
      return forgetting(slice);
    },
    dropTable() {
      changes.noteAll();
      removeTable(db, spec);
    },
  };
}
