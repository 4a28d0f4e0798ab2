/** A page of a collection of which some documents are newer than its table. */
import { storedDocument, type Document, type Find, type StoredDocument } from '../../ports/read-models.js';
import { toColumn } from './collection-table.js';
import { scanned, type StoredRow } from './document-rows.js';
import { compareKeys, type ColumnValue, type Unflushed } from './unflushed.js';

/**
 * The first `most` documents of a query.
 * @param list fields of the index
 * @param rows reads up to so many rows of the table that match, in the order of the query
 */
export function mergedFind<T>(deps: {
  readonly collection: string;
  readonly query: Find;
  readonly list: readonly string[];
  readonly newer: Unflushed;
  readonly rows: (most: number) => Iterable<StoredRow>;
  readonly most: number;
}): readonly StoredDocument<T>[] {
  const { collection, query, list, newer, rows, most } = deps;
  const rest = list.slice(query.equals.length);
  const sortKey = (id: string, doc: Document): readonly ColumnValue[] => [
    ...rest.map((field) => toColumn(doc[field], field)),
    id,
  ];
  const after = query.after?.map((value) => toColumn(value, 'a cursor'));
  const sign = query.order === 'asc' ? 1 : -1;
  const hits: { readonly key: readonly ColumnValue[]; readonly found: StoredDocument<T> }[] = [];
  for (const { document } of newer.matching(list, query.equals)) {
    const { id, version, doc } = document;
    if (doc === null) continue;
    const key = sortKey(id, doc);
    if (!after || sign * compareKeys(key, after) > 0)
      hits.push({ key, found: { id, doc: doc as T, version } });
  }
  let left = most;
  // Each newer document makes one row outdated at the most.
  for (const row of rows(most + newer.size())) {
    if (newer.get(row.id)) continue;
    const found = storedDocument<T>(collection, scanned(row));
    hits.push({ key: sortKey(row.id, found.doc as Document), found });
    left -= 1;
    if (left === 0) break;
  }
  return hits
    .sort((a, b) => sign * compareKeys(a.key, b.key))
    .slice(0, most)
    .map(({ found }) => found);
}
