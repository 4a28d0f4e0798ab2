/** Queries of one collection's table by an index or by id, with the documents that are newer than it. */
import {
  LAST_CHARACTER,
  storedDocument,
  type CollectionSpec,
  type Find,
  type Found,
  type IndexValue,
  type Scan,
  type ScannedDocument,
} from '../../ports/read-models.js';
import { pageSize } from '../../ports/page-size.js';
import { column, fromDocument, isApart, isLive, toColumn, type CollectionTable } from './collection-table.js';
import type { Db, Statement } from './database.js';
import { scanned, type StoredRow } from './document-rows.js';
import { LIMIT } from './limit.js';
import { mergedFind } from './merged-find.js';
import type { Unflushed } from './unflushed.js';

export interface CollectionQueries {
  readonly find: <T>(query: Find) => Found<T>;
  /** Of the table alone. */
  count(index: string, equals: readonly IndexValue[], atMost: number | undefined): number;
  /** Of the table alone. */
  scan(query: Scan): readonly ScannedDocument[];
  /** SQL that `find` and `count` run, for tests that check their query plans. */
  readonly findSql: (query: Find) => string;
  /** @param bounded whether it takes a limit behind the values */
  readonly countSql: (index: string, equals: readonly IndexValue[], bounded?: boolean) => string;
}

export const MAX_PAGE = 1_000;

/** Each statement once. */
function preparing<Row>(db: Db): (sql: string) => Statement<Row> {
  const statements = new Map<string, Statement<Row>>();
  return (sql) => {
    let statement = statements.get(sql);
    if (!statement) statements.set(sql, (statement = db.prepare<unknown[], Row>(sql)));
    return statement;
  };
}

export function createQueries(
  db: Db,
  spec: CollectionSpec,
  { table, indexName }: Pick<CollectionTable, 'table' | 'indexName'>,
  newer: Unflushed,
): CollectionQueries {
  const pages = preparing<StoredRow>(db);
  const counts = preparing<{ readonly n: number }>(db);

  function fieldsOf(index: string, equals: readonly IndexValue[]): readonly string[] {
    const list = spec.indexes[index];
    if (!list) throw new Error(`collection ${spec.name} has no index ${index}`);
    if (equals.length > list.length) throw new Error(`index ${index} has only ${list.length} fields`);
    return list;
  }

  /** How many characters of the first value the ids begin with. Undefined: the index has all that match. */
  const charactersOf = (index: string, equals: readonly IndexValue[]): number | undefined =>
    index === spec.idsBegin?.index && equals.length > 0 ? spec.idsBegin.characters : undefined;

  /** Rows that match: those that the index has, and those that are found by their ids in its place. */
  function rowsOf(what: string, index: string, equals: readonly IndexValue[], seek = ''): string {
    const list = fieldsOf(index, equals);
    const select = `SELECT ${what} FROM ${table}`;
    const matching = `${where(list, equals.length)}${seek}`;
    const byIndex = `${select} INDEXED BY ${indexName(index)} WHERE ${matching}`;
    const characters = charactersOf(index, equals);
    if (characters === undefined)
      return index === spec.idsBegin?.index ? `${select} WHERE ${matching}` : byIndex;
    const byId = `${select} WHERE id >= ? AND id < ? AND ${matching}`;
    return `${byId} UNION ALL ${byIndex} AND ${isApart(list[0]!, characters)}`;
  }

  /** What `rowsOf` takes. */
  function valuesOf(
    index: string,
    equals: readonly IndexValue[],
    after: readonly IndexValue[] = [],
  ): (string | number)[] {
    const matching = values([...equals, ...after]);
    const characters = charactersOf(index, equals);
    if (characters === undefined) return matching;
    const beginning = String(matching[0]).slice(0, characters);
    return [beginning, beginning + LAST_CHARACTER, ...matching, ...matching];
  }

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
    const rows = rowsOf(['version, doc', ...keys].join(', '), query.index, query.equals, seek);
    return (
      `SELECT id, version, doc FROM (${rows}) ` +
      `ORDER BY ${keys.map((key) => `${key} ${query.order}`).join(', ')} ${LIMIT}`
    );
  }

  const countSql = (index: string, equals: readonly IndexValue[], bounded = false): string =>
    `SELECT count(*) AS n FROM (${rowsOf('1', index, equals)}${bounded ? ` ${LIMIT}` : ''})`;

  return {
    findSql,
    countSql,
    find<T>(query: Find) {
      const limit = pageSize(query.limit, MAX_PAGE);
      const keys = valuesOf(query.index, query.equals, query.after);
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
    },
    count(index, equals, atMost) {
      const bounded = atMost !== undefined;
      const sql = countSql(index, equals, bounded);
      return counts(sql).get(...valuesOf(index, equals), ...(bounded ? [atMost] : []))?.n ?? 0;
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
  };
}

const where = (list: readonly string[], equals: number): string =>
  [isLive(list), ...list.slice(0, equals).map((field) => `${column(field)} = ?`)].join(' AND ');

const values = (list: readonly IndexValue[]): (string | number)[] =>
  list.map((value) => toColumn(value, 'a value to search for'));
