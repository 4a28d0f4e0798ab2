/**
 * For one short piece of work: every stream is read once. What was read, and what the work itself appended since, is
 * what its next decision begins with; an append that is refused, or of which nothing certain is known, and the stream is
 * read again. Streams decide as ever, by exact revisions. Only what goes through the executor is remembered: whoever
 * reads the store itself is answered by the store.
 */
import type { App } from '../../application/app.js';
import type { EventStore, NewRecord, StoredRecord } from '../../ports/event-store.js';

/**
 * The same app, with an executor that remembers, to be dropped at the end of the work: a decision that nothing is to be
 * done, or that something is refused, rests on what was read, and must not rest on what is old.
 * @param prefixes of streams that are remembered; the others are read whenever they are loaded
 */
export function readingOnce(app: App, prefixes: readonly string[]): App {
  return { ...app, executor: app.executor.over(remembering(app.store, prefixes)) };
}

function remembering(store: EventStore, prefixes: readonly string[]): EventStore {
  /** Whole streams, in order. */
  const streams = new Map<string, readonly StoredRecord[]>();
  const isWanted = (stream: string): boolean => prefixes.some((prefix) => stream.startsWith(prefix));

  return {
    ...store,
    async read(stream, options) {
      if (options !== undefined || !isWanted(stream)) return store.read(stream, options);
      const known = streams.get(stream);
      if (known) return known;
      const records = await store.read(stream);
      streams.set(stream, records);
      return records;
    },
    async append(stream, expected, records) {
      const known = streams.get(stream) ?? (expected === 'no_stream' ? [] : undefined);
      streams.delete(stream);
      const result = await store.append(stream, expected, records);
      const [record] = records;
      // Of several records the position of the last one alone is known; a repeated append says nothing of what follows.
      const next = expected === 'no_stream' ? 0 : expected + 1;
      if (record && records.length === 1 && !result.repeated && known?.length === next && isWanted(stream))
        streams.set(stream, [...known, stored(record, stream, next, result.position)]);
      return result;
    },
  };
}

const stored = (
  record: NewRecord,
  stream: string,
  revision: number,
  position: StoredRecord['position'],
): StoredRecord => ({ ...record, stream, revision, position });
