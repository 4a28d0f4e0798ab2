import { LRUCache } from 'lru-cache';

/**
 * A least-recently-used cache. Its memory grows with its contents. The library's `max` option would allocate room for
 * all entries at once: 4 ms and megabytes for a cache that may never hold more than ten entries.
 *
 * @param max the most entries, or their greatest total weight when `weigh` is given
 * @param ttl milliseconds after which an entry expires; left out, entries never expire
 * @param weigh an integer of at least 1; a value heavier than `max` is not kept
 */
export const createCache = <K extends NonNullable<unknown>, V extends NonNullable<unknown>>(
  max: number,
  ttl?: number,
  weigh: (value: V) => number = () => 1,
): LRUCache<K, V> =>
  new LRUCache<K, V>({ maxSize: max, sizeCalculation: weigh, ...(ttl === undefined ? {} : { ttl }) });
