/**
 * Lets several deployments share a cluster. Every stream name carries the deployment's prefix there, which callers of
 * the port never see. `head` is that of the cluster: with other deployments it may be after our newest record.
 */
import {
  WrongExpectedRevision,
  type EventStore,
  type StoredRecord,
  type SubscriptionOptions,
} from '../../ports/event-store.js';

export function withStreamPrefix(inner: EventStore, prefix: string): EventStore {
  if (prefix === '') return inner;
  const outside = (stream: string): string => prefix + stream;
  const inside = (record: StoredRecord): StoredRecord => ({
    ...record,
    stream: record.stream.slice(prefix.length),
  });
  const filters = (prefixes: readonly string[] | undefined): readonly string[] =>
    prefixes ? prefixes.map(outside) : [prefix];

  return {
    ...inner,
    async append(stream, expected, records) {
      try {
        return await inner.append(outside(stream), expected, records);
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
        throw new WrongExpectedRevision(stream, error.expected, error.actual);
      }
    },
    async read(stream, options) {
      return (await inner.read(outside(stream), options)).map(inside);
    },
    async readAll(options) {
      const page = await inner.readAll({ ...options, prefixes: filters(options.prefixes) });
      return { ...page, records: page.records.map(inside) };
    },
    async readBack(options) {
      const page = await inner.readBack({ ...options, prefixes: filters(options.prefixes) });
      return { ...page, records: page.records.map(inside) };
    },
    subscribe: (options: SubscriptionOptions) =>
      inner.subscribe({
        ...options,
        prefixes: filters(options.prefixes),
        onBatch: (records, upTo) => options.onBatch(records.map(inside), upTo),
      }),
  };
}
