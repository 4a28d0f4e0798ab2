/** The order of results: by the sort value, as SQLite sorts it, then by id. */
import type { Document, IndexValue, SearchSpec } from '../../ports/read-models.js';
import { LOWEST } from './collection-table.js';

export type Order = string | number;
export type Hit = readonly [order: Order, id: string];

export const inOrder =
  (descending: boolean) =>
  (a: Hit, b: Hit): number =>
    (descending ? -1 : 1) * (compareOrder(a[0], b[0]) || compareText(a[1], b[1]));

/** LOWEST first, then texts by their bytes. */
export function compareOrder(a: Order, b: Order): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  return (a === LOWEST ? 0 : 1) - (b === LOWEST ? 0 : 1);
}

/** By the bytes of their UTF-8. Without surrogates that equals the order of their code units. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}

const SURROGATE = /[\ud800-\udfff]/;

/** Sort key of a document, as cursors carry it. */
export const searchKey = (search: SearchSpec, id: string, doc: Document): readonly IndexValue[] => {
  const order = doc[search.orderBy];
  return [typeof order === 'string' ? order : null, id];
};
