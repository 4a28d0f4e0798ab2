/**
 * Cache of whole streams. Most streams live for seconds, and reactors read them again and again. The records are the
 * very objects that were appended or read before, so nothing has to be parsed or decrypted. Streams known to be empty are
 * cached too, because a process that is about to start a stream reads it first.
 *
 * A stream has to be read once before it may displace those that are read again and again: a crowd of accepted messages
 * starts thousands that nobody reads for a while.
 */
import { createCache } from '../../ports/cache.js';
import type { StoredRecord } from '../../ports/event-store.js';

export interface RecentStreams {
  /** Adds committed records, in order. */
  add(records: readonly StoredRecord[]): void;
  /** Notes all records of a stream, as of the last commit. None: the stream does not exist. */
  addRead(stream: string, records: readonly StoredRecord[]): void;
  /** All records of the stream, or undefined when the cache does not have it from the beginning. */
  get(stream: string): readonly StoredRecord[] | undefined;
  /** How many records that are. */
  length(stream: string): number | undefined;
}

/** What 4,000 messages begin that wait for their turn: each is read when that comes. */
const MAX_NEW = 8_000;
const MAX_READ = 3_000;
/** A stream that grows beyond this is read from the file, in parts if necessary. */
const MAX_RECORDS = 50;

export function createRecentStreams(): RecentStreams {
  const unread = createCache<string, readonly StoredRecord[]>(MAX_NEW);
  const read = createCache<string, readonly StoredRecord[]>(MAX_READ);

  const peek = (stream: string): readonly StoredRecord[] | undefined =>
    read.peek(stream) ?? unread.peek(stream);

  function put(stream: string, records: readonly StoredRecord[]): void {
    (read.has(stream) ? read : unread).set(stream, records);
  }

  return {
    add(records) {
      for (const record of records) {
        const { stream, revision } = record;
        const known = revision === 0 ? [] : peek(stream);
        if (!known) continue;
        // A new array: a caller may still hold the old one.
        if (known.length === revision && revision < MAX_RECORDS) {
          put(stream, [...known, record]);
        } else {
          read.delete(stream);
          unread.delete(stream);
        }
      }
    },
    addRead(stream, records) {
      if (records.length <= MAX_RECORDS) put(stream, records);
    },
    get(stream) {
      const again = read.get(stream);
      if (again) return again;
      const first = unread.get(stream);
      if (first && first.length > 0) {
        unread.delete(stream);
        read.set(stream, first);
      }
      return first;
    },
    length: (stream) => peek(stream)?.length,
  };
}
