/** How much of what waits in memory one transaction writes. Requests wait for it. */
import type { CollectionSpec } from '../../ports/read-models.js';

/** Documents, or entries of the index of streams. */
export const AT_ONCE = 200;
/** Documents that are compressed first, in the turn of the event loop before their transaction. */
const PACKED_AT_ONCE = 40;

/** Documents of a collection. */
export const flushedTogether = ({ packed }: Pick<CollectionSpec, 'packed'>): number =>
  packed ? PACKED_AT_ONCE : AT_ONCE;

export function* slices<T>(list: readonly T[], size: number): Iterable<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}
