/**
 * Reads every stream once during one short piece of work. The next decision starts from the records read and those that
 * the work itself appended one at a time. After an append of several records or to several streams, a rejected one, or
 * one with an unknown result, the stream is read again. Decisions still depend on exact stream revisions. Only reads
 * through the executor are cached; direct reads go to the store.
 */
import type { App } from '../../application/app.js';
import {
  revisionAfter,
  type EventStore,
  type NewRecord,
  type StoredRecord,
} from '../../ports/event-store.js';

/**
 * Returns the same app with a caching executor, which must be dropped when the work ends. A decision to do nothing, or
 * to refuse, relies on the cached records and must not rely on old ones.
 * @param prefixes of streams to cache; other streams are read whenever they are loaded
 */
export function readingOnce<Uses extends Pick<App, 'executor' | 'store'>>(
  app: Uses,
  prefixes: readonly string[],
): Uses {
  return { ...app, executor: app.executor.over(remembering(app.store, prefixes)) };
}

function remembering(store: EventStore, prefixes: readonly string[]): EventStore {
  const { appendTogether } = store;
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
      // For several records, only the position of the last one is known. A repeated append gives no information about
      // later records.
      const next = revisionAfter(expected);
      if (record && records.length === 1 && !result.repeated && known?.length === next && isWanted(stream))
        streams.set(stream, [...known, stored(record, stream, next, result.position)]);
      return result;
    },
    ...(appendTogether && {
      appendTogether(appends) {
        for (const { stream } of appends) streams.delete(stream);
        return appendTogether(appends);
      },
    }),
  };
}

const stored = (
  record: NewRecord,
  stream: string,
  revision: number,
  position: StoredRecord['position'],
): StoredRecord => ({ ...record, stream, revision, position });
