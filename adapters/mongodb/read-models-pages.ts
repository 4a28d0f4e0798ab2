/**
 * Keyset pages. The rows after a sort key are read range by range, nearest first, until the page is full. Each range is
 * one contiguous part of an index. MongoDB compares a value only with values of its own type, so "more than 5" takes
 * two ranges: the greater numbers, and then all strings.
 */
import type { Collection, Filter } from 'mongodb';
import type { Found, IndexValue } from '../../ports/read-models.js';
import { fromRow, type Row } from './read-models-collection.js';
import { pageSize } from '../../ports/page-size.js';

type Condition = IndexValue | { readonly [operator: string]: IndexValue };
type Order = 'asc' | 'desc';

export interface Page {
  readonly where: Filter<Row>;
  /** Fields that the page is ordered by; the last is `_id`. */
  readonly keys: readonly string[];
  readonly order: Order;
  readonly limit: number;
  readonly after?: readonly IndexValue[] | undefined;
}

export const MAX_PAGE = 1_000;
const ANY_NUMBER = { $gte: Number.NEGATIVE_INFINITY };
const ANY_STRING = { $gte: '' };

/** `read` limits the wait for one range. @throws Error when `after` does not have one value for each key */
export async function readPage<T>(
  collection: string,
  rows: Collection<Row>,
  page: Page,
  read: <A>(work: Promise<A>) => Promise<A>,
): Promise<Found<T>> {
  const { where, keys, order, after } = page;
  if (after && after.length !== keys.length) {
    throw new Error(`the page is ordered by ${keys.length} values, not by ${after.length}`);
  }
  const limit = pageSize(page.limit, MAX_PAGE);
  const direction = order === 'asc' ? 1 : -1;
  const sort = Object.fromEntries(keys.map((key) => [key, direction] as const));
  const projection = Object.fromEntries([...keys, 'version', 'body'].map((key) => [key, 1]));
  const found: Row[] = [];
  for (const range of after ? rangesAfter(keys, after, order) : [{}]) {
    const missing = limit + 1 - found.length;
    const cursor = rows.find<Row>({ ...where, ...range }, { sort, projection, limit: missing });
    found.push(...(await read(cursor.toArray())));
    if (found.length > limit) break;
  }
  const kept = found.slice(0, limit);
  const last = kept[kept.length - 1];
  const next = found.length > limit && last ? keys.map((key) => last[key as '_id'] as IndexValue) : null;
  return { documents: kept.map((row) => fromRow<T>(collection, row)), next };
}

/** First the same leading values with a greater last one, then one key less, and so on. */
function rangesAfter(
  keys: readonly string[],
  after: readonly IndexValue[],
  order: Order,
): readonly Filter<Row>[] {
  return keys.flatMap((_, i) => {
    const depth = keys.length - 1 - i;
    const same = keys.slice(0, depth).map((key, k) => [key, after[k] ?? null] as const);
    return beyond(after[depth] ?? null, order).map(
      (condition) => Object.fromEntries([...same, [keys[depth] ?? '_id', condition]]) as Filter<Row>,
    );
  });
}

function beyond(value: IndexValue, order: Order): readonly Condition[] {
  if (order === 'asc') {
    if (value === null) return [ANY_NUMBER, ANY_STRING];
    return typeof value === 'number' ? [{ $gt: value }, ANY_STRING] : [{ $gt: value }];
  }
  if (value === null) return [];
  return typeof value === 'number' ? [{ $lt: value }, null] : [{ $lt: value }, ANY_NUMBER, null];
}
