import { LRUCache } from 'lru-cache';

/**
 * A cache that forgets what was not asked for the longest. It takes memory by what it holds: the library's `max` would
 * set aside room for all of it at once, 4 ms and megabytes for a cache that may never hold more than ten entries.
 *
 * @param max entries, or what they weigh together
 * @param ttl milliseconds after which an entry is forgotten; never when left out
 * @param weigh an integer of at least 1; one that is heavier than `max` is not kept
 */
export const createCache = <K extends NonNullable<unknown>, V extends NonNullable<unknown>>(
  max: number,
  ttl?: number,
  weigh: (value: V) => number = () => 1,
): LRUCache<K, V> =>
  new LRUCache<K, V>({ maxSize: max, sizeCalculation: weigh, ...(ttl === undefined ? {} : { ttl }) });
