import { LRUCache } from 'lru-cache';

/**
 * A cache that forgets what was not asked for the longest. It takes memory by what it holds: the library's `max` would
 * set aside room for all of it at once, 4 ms and megabytes for a cache that may never hold more than ten entries.
 *
 * @param max entries
 * @param ttl milliseconds after which an entry is forgotten; never when left out
 */
export const createCache = <K extends NonNullable<unknown>, V extends NonNullable<unknown>>(
  max: number,
  ttl?: number,
): LRUCache<K, V> =>
  new LRUCache<K, V>({ maxSize: max, sizeCalculation: () => 1, ...(ttl === undefined ? {} : { ttl }) });
