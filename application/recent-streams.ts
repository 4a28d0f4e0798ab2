/**
 * Caches the beginnings of streams that this process has recently written or read, as they are stored: sealed. Recorded
 * events never change, so a read up to a known revision needs no request. A read without a limit always goes to the
 * store.
 */
import { createCache } from '../ports/cache.js';
import type { EventStore, StoredRecord } from '../ports/event-store.js';

const MOST = 16_000_000;
/** Estimated size of an event without its fields: names, ids, times. */
const FRAME = 600;

/** @param most total size of all cached events, characters */
export function withRecentStreams(store: EventStore, most = MOST): EventStore {
  const recent = createCache<string, readonly StoredRecord[]>(most, undefined, weigh);

  function keep(stream: string, records: readonly StoredRecord[]): void {
    if (records.length > (recent.get(stream)?.length ?? 0)) recent.set(stream, records);
  }

  return {
    ...store,
    async append(stream, expected, records) {
      const result = await store.append(stream, expected, records);
      const known = recent.get(stream) ?? [];
      const [record] = records;
      // Of several records, only the position of the last one is known.
      if (record && records.length === 1 && !result.repeated && known.length === result.revision) {
        // A copy: the codec recognises the object that it encoded, and would return its data without fetching the key.
        const data = { ...record.data };
        keep(stream, [
          ...known,
          { ...record, data, stream, revision: result.revision, position: result.position },
        ]);
      }
      return result;
    },
    async read(stream, options = {}) {
      const { from = 0, limit = Infinity } = options;
      const known = recent.get(stream);
      if (known !== undefined && known.length >= from + limit) return known.slice(from, from + limit);
      const records = await store.read(stream, options);
      if (from === 0 && records.length > 0) keep(stream, records);
      return records;
    },
  };
}

const weigh = (records: readonly StoredRecord[]): number =>
  records.reduce((sum, { data }) => sum + FRAME + sizeOf(data), 0);

/** An estimate: long values are texts, at the top level or in the sealed box. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce<number>((sum, inner) => sum + sizeOf(inner), 0);
}
