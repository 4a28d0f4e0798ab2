/**
 * Cache of the newest records. A subscription that keeps up need not read, parse or decrypt recent appends: it gets the
 * very objects that were appended.
 */
import type { StoredRecord } from '../../ports/event-store.js';
import { numberOf } from './records.js';

export interface Recent {
  /**
   * Adds committed records that directly follow those added before.
   * @param size of all these records, in characters of JSON
   */
  add(records: readonly StoredRecord[], size: number): void;
  /**
   * A page after a position, or undefined when the position is older than the cached records. `next` is the position
   * that the page reaches, also past records of other streams.
   */
  after(
    from: number,
    limit: number,
    prefixes: readonly string[] | undefined,
  ): { readonly records: readonly StoredRecord[]; readonly next: number } | undefined;
}

const MAX_RECORDS = 2_000;
/** Characters of JSON. */
const MAX_SIZE = 8_000_000;
/** The list may grow by this factor before its oldest records are dropped: dropping copies the rest of the list. */
const MAX_BESIDE = 1.25;

export function createRecent(): Recent {
  let chunks: { readonly records: readonly StoredRecord[]; readonly first: number; readonly size: number }[] =
    [];
  let total = 0;
  let size = 0;

  return {
    add(records, added) {
      chunks.push({ records, first: numberOf(records[0]!.position), size: added });
      total += records.length;
      size += added;
      if (total <= MAX_RECORDS * MAX_BESIDE && size <= MAX_SIZE * MAX_BESIDE) return;
      let drop = 0;
      while (drop < chunks.length - 1 && (total > MAX_RECORDS || size > MAX_SIZE)) {
        total -= chunks[drop]!.records.length;
        size -= chunks[drop]!.size;
        drop += 1;
      }
      chunks = chunks.slice(drop);
    },

    after(from, limit, prefixes) {
      const oldest = chunks[0];
      if (!oldest || from < oldest.first - 1) return undefined;
      const found: StoredRecord[] = [];
      let next = from;
      // Starts from the end: a reader that keeps up needs the last chunk.
      let start = chunks.length - 1;
      while (start > 0 && chunks[start]!.first > from + 1) start -= 1;
      for (const { records, first } of chunks.slice(start)) {
        for (let index = Math.max(0, from + 1 - first); index < records.length; index += 1) {
          if (found.length === limit) return { records: found, next };
          const record = records[index]!;
          if (!prefixes || prefixes.some((prefix) => record.stream.startsWith(prefix))) found.push(record);
          next = first + index;
        }
      }
      return { records: found, next };
    },
  };
}
