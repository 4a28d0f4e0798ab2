/**
 * Whole streams that were begun in this process, in memory: most streams live for seconds, and what reacts to their
 * events reads them again and again. The records are the very objects that were appended, so nothing has to be parsed
 * or decrypted. Streams that are known to be empty are among them: whoever is about to begin one looks first.
 */
import { createCache } from '../../ports/cache.js';
import type { StoredRecord } from '../../ports/event-store.js';

export interface RecentStreams {
  /** Committed records, in order. */
  add(records: readonly StoredRecord[]): void;
  /** There is no such stream, as far as is committed. */
  addEmpty(stream: string): void;
  /** All records of the stream, or undefined when it is not known from its beginning. */
  get(stream: string): readonly StoredRecord[] | undefined;
}

const MAX_STREAMS = 4_000;
/** A stream that grows beyond this is read from the file, a part at a time if need be. */
const MAX_RECORDS = 50;

export function createRecentStreams(): RecentStreams {
  const streams = createCache<string, readonly StoredRecord[]>(MAX_STREAMS);
  return {
    add(records) {
      for (const record of records) {
        const { stream, revision } = record;
        if (revision === 0) {
          streams.set(stream, [record]);
          continue;
        }
        const known = streams.get(stream);
        if (!known) continue;
        // A new list: somebody may hold the old one.
        if (known.length === revision && revision < MAX_RECORDS) streams.set(stream, [...known, record]);
        else streams.delete(stream);
      }
    },
    addEmpty: (stream) => void streams.set(stream, []),
    get: (stream) => streams.get(stream),
  };
}
