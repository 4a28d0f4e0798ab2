/**
 * Cache of whole streams that were started in this process. Most streams live for seconds, and reactors read them again
 * and again. The records are the very objects that were appended, so nothing has to be parsed or decrypted. Streams
 * known to be empty are cached too, because a process that is about to start a stream reads it first.
 */
import { createCache } from '../../ports/cache.js';
import type { StoredRecord } from '../../ports/event-store.js';

export interface RecentStreams {
  /** Adds committed records, in order. */
  add(records: readonly StoredRecord[]): void;
  /** Notes that the stream does not exist, as of the last commit. */
  addEmpty(stream: string): void;
  /** All records of the stream, or undefined when the cache does not have it from the beginning. */
  get(stream: string): readonly StoredRecord[] | undefined;
}

const MAX_STREAMS = 4_000;
/** A stream that grows beyond this is read from the file, in parts if necessary. */
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
        // A new array: a caller may still hold the old one.
        if (known.length === revision && revision < MAX_RECORDS) streams.set(stream, [...known, record]);
        else streams.delete(stream);
      }
    },
    addEmpty: (stream) => void streams.set(stream, []),
    get: (stream) => streams.get(stream),
  };
}
