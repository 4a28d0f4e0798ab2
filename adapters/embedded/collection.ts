/** Statements over one collection's table. */
import {
  LAST_CHARACTER,
  SearchNotReady,
  storedDocument,
  type CollectionSpec,
  type Document,
  type DocumentWrite,
  type Find,
  type Forget,
  type Forgotten,
  type Found,
  type IndexValue,
  type Scan,
  type ScannedDocument,
  type Search,
  type StoredDocument,
} from '../../ports/read-models.js';
import {
  collectionKey,
  column,
  ensureTable,
  fromDocument,
  isLive,
  removeTable,
  toColumn,
} from './collection-table.js';
import type { Db, Statement } from './database.js';
import { LIMIT } from './limit.js';
import { createQueryCache, type DocumentCache } from './document-cache.js';
import { mergedFind } from './merged-find.js';
import { createRowWriter, scanned, type StoredRow } from './document-rows.js';
import { pack, type Stored } from './packing.js';
import { createForgetting } from './removed-documents.js';
import { createSearchIndex } from './search-index.js';
import { searchKey } from './search-order.js';
import { dropSearchIndex } from './search-tables.js';
import { createUnflushed, type PreparedWrite } from './unflushed.js';
import { pageSize } from '../../ports/page-size.js';

export interface Collection {
  readonly spec: CollectionSpec;
  /**
   * @throws TypeError when an indexed field is not a string, number or null, or when a search field has a wrong type
   */
  prepare(write: DocumentWrite): PreparedWrite;
  /** For `stage`: the text is made only when the row is written, since most such documents are replaced before that. */
  prepareToStage(write: DocumentWrite): PreparedWrite;
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
  makeRows(ids: readonly string[]): void;
  /** Ids of the documents that are newer than the table. */
  unflushed(): readonly string[];
  /** How many they are. */
  waiting(): number;
  /** In a transaction: writes these of them, or all, into the table. */
  flush(ids?: readonly string[]): void;
  committed(): void;
  /** Drops cached state, which may never have been committed. */
  rolledBack(): void;
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
  count(index: string, equals: readonly IndexValue[], atMost: number | undefined): number;
  scan(query: Scan): readonly ScannedDocument[];
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
  /** SQL that `find` and `count` run, for tests that check their query plans. */
  findSql(query: Find): string;
  /** @param bounded whether it takes a limit behind the values */
  countSql(index: string, equals: readonly IndexValue[], bounded?: boolean): string;
}

const MAX_PAGE = 1_000;
/** Larger results are not worth caching. */
const SMALL_RESULT = 20;

/** Each statement once. */
function preparing<Row>(db: Db): (sql: string) => Statement<Row> {
  const statements = new Map<string, Statement<Row>>();
  return (sql) => {
    let statement = statements.get(sql);
    if (!statement) statements.set(sql, (statement = db.prepare<unknown[], Row>(sql)));
    return statement;
  };
}

export function createCollection(db: Db, spec: CollectionSpec, documents: DocumentCache): Collection {
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
  const pages = preparing<StoredRow>(db);
  const counts = preparing<{ readonly n: number }>(db);
  const queries = createQueryCache();
  const newer = createUnflushed(fields);
  let live = true;
  const forgetting = spec.forgets && createForgetting(db, table);
  const removable = db.prepare<unknown[], string>(`SELECT id FROM ${table} ${LIMIT}`).pluck();
  const remove = db.prepare(`DELETE FROM ${table} WHERE id = ?`);

  function fieldsOf(index: string, equals: readonly IndexValue[]): readonly string[] {
    const list = spec.indexes[index];
    if (!list) throw new Error(`collection ${spec.name} has no index ${index}`);
    if (equals.length > list.length) throw new Error(`index ${index} has only ${list.length} fields`);
    return list;
  }

  const where = (list: readonly string[], equals: number): string =>
    [isLive(list), ...list.slice(0, equals).map((field) => `${column(field)} = ?`)].join(' AND ');

  const values = (list: readonly IndexValue[]): (string | number)[] =>
    list.map((value) => toColumn(value, 'a value to search for'));

  function findSql(query: Find): string {
    const list = fieldsOf(query.index, query.equals);
    const keys = [...list.slice(query.equals.length).map(column), 'id'];
    if (query.after && query.after.length !== keys.length) {
      throw new Error(`index ${query.index} pages by ${keys.length} values, not ${query.after.length}`);
    }
    // A row-value comparison is a single seek into the index, at any page depth.
    const seek = query.after
      ? ` AND (${keys.join(', ')}) ${query.order === 'asc' ? '>' : '<'} (${keys.map(() => '?').join(', ')})`
      : '';
    return (
      `SELECT id, version, doc FROM ${table} INDEXED BY ${indexName(query.index)} ` +
      `WHERE ${where(list, query.equals.length)}${seek} ` +
      `ORDER BY ${keys.map((key) => `${key} ${query.order}`).join(', ')} ${LIMIT}`
    );
  }

  function countSql(index: string, equals: readonly IndexValue[], bounded = false): string {
    const list = fieldsOf(index, equals);
    const rows = `FROM ${table} INDEXED BY ${indexName(index)} WHERE ${where(list, equals.length)}`;
    return `SELECT count(*) AS n ${bounded ? `FROM (SELECT 1 ${rows} ${LIMIT})` : rows}`;
  }

  function select<T>(query: Find): Found<T> {
    const limit = pageSize(query.limit, MAX_PAGE);
    const keys = values([...query.equals, ...(query.after ?? [])]);
    const statement = pages(findSql(query));
    const found =
      newer.size() === 0
        ? statement.all(...keys, limit + 1).map((row) => storedDocument<T>(spec.name, scanned(row)))
        : mergedFind<T>({
            collection: spec.name,
            query,
            list: fieldsOf(query.index, query.equals),
            newer,
            rows: (most) => statement.iterate(...keys, most),
            most: limit + 1,
          });
    const documents = found.slice(0, limit);
    const last = documents[documents.length - 1];
    if (found.length <= limit || !last) return { documents, next: null };
    const rest = fieldsOf(query.index, query.equals).slice(query.equals.length);
    const doc = last.doc as Record<string, unknown>;
    return { documents, next: [...rest.map((field) => fromDocument(doc, field)), last.id] };
  }

  function storedOf(doc: Document | null): Stored | null {
    if (doc === null) return null;
    const text = JSON.stringify(doc);
    return spec.packed ? pack(text) : text;
  }

  const prepared = (document: DocumentWrite, stored: PreparedWrite['stored']): PreparedWrite => ({
    document,
    values: fields.map((field) =>
      document.doc === null ? null : toColumn(document.doc[field], `${spec.name}.${field}`),
    ),
    searchable: index?.prepare(document.id, document.doc) ?? null,
    stored,
  });

  function write({ document, values, searchable, stored }: PreparedWrite): boolean {
    const { id, doc, version } = document;
    if (!writeRow({ id, version, doc: stored(), values })) return false;
    index?.write(id, searchable);
    queries.clear();
    if (doc === null || !live) documents.drop(table, id);
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
    if (live) documents.put(table, found);
    return found;
  }

  return {
    spec,
    findSql,
    countSql,
    prepare(document) {
      const stored = storedOf(document.doc);
      return prepared(document, () => stored);
    },
    prepareToStage(document) {
      let made: { readonly stored: Stored | null } | undefined;
      return prepared(document, () => (made ??= { stored: storedOf(document.doc) }).stored);
    },
    write,
    stage(write) {
      const { id, version } = write.document;
      if ((newer.get(id)?.document.version ?? '') >= version) return;
      newer.put(write);
      queries.clear();
    },
    stageNow(write) {
      const { id, version } = write.document;
      const known =
        newer.get(id)?.document.version ??
        (live ? documents.get(table, id)?.version : undefined) ??
        versionOf.get(id);
      if (known !== undefined && known >= version) return false;
      newer.putNow(write);
      queries.clear();
      return true;
    },
    makeRows(ids) {
      for (const id of ids) newer.get(id)?.stored();
    },
    unflushed: () => newer.ids(),
    waiting: () => newer.size(),
    flush(ids = newer.ids()) {
      for (const id of ids) {
        const newest = newer.get(id);
        if (!newest) continue;
        write(newest);
        newer.remove(id);
      }
    },
    committed: () => newer.committed(),
    rolledBack() {
      newer.rolledBack();
      queries.clear();
      index?.forget();
    },
    get,
    removedAt(id) {
      const fresh = newer.get(id)?.document;
      return fresh?.doc === null ? fresh.version : removedVersion.get(id);
    },
    find<T>(query: Find) {
      const known = queries.get(query);
      if (known) return known as Found<T>;
      const found = select<T>(query);
      if (live && found.documents.length <= SMALL_RESULT) queries.put(query, found);
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
    fillSearch: () => index?.fillSome() ?? false,
    count(index, equals, atMost) {
      const bounded = atMost !== undefined;
      const sql = countSql(index, equals, bounded);
      return counts(sql).get(...values(equals), ...(bounded ? [atMost] : []))?.n ?? 0;
    },
    scan({ prefix, after, limit, order }) {
      const seek = after === null ? '' : `AND id ${order === 'asc' ? '>' : '<'} ?`;
      const range = prefix === undefined ? '' : 'AND id >= ? AND id < ?';
      const sql = `SELECT id, version, doc FROM ${table} WHERE doc IS NOT NULL ${seek} ${range} ORDER BY id ${order} ${LIMIT}`;
      const bounds = prefix === undefined ? [] : [prefix, prefix + LAST_CHARACTER];
      return pages(sql)
        .all(...(after === null ? [] : [after]), ...bounds, pageSize(limit, MAX_PAGE))
        .map(scanned);
    },
    setLive(next) {
      live = next;
      queries.clear();
    },
    removeSome(limit) {
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
      return forgetting(slice);
    },
    dropTable: () => removeTable(db, spec),
  };
}
