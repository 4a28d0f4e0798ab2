/** How much of what waits in memory one transaction writes. Requests wait for it. */
import type { Collection } from './collection.js';
import type { Writer } from './writer.js';

/** Documents, or entries of the index of streams. */
export const AT_ONCE = 100;
/** Documents that are compressed first, before their transaction. */
const PACKED_AT_ONCE = 40;

/**
 * Resolves when the documents that wait at the call are in the table.
 * @param before awaited before each slice
 */
export async function flushInSlices(
  collection: Collection,
  writer: Pick<Writer, 'submit'>,
  before: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const size = collection.spec.packed ? PACKED_AT_ONCE : AT_ONCE;
  for (const some of slices(collection.unflushed(), size)) {
    await before();
    await collection.makeRows(some);
    await writer.submit(() => collection.flush(some), some.length);
  }
}

export function* slices<T>(list: readonly T[], size: number): Iterable<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}
