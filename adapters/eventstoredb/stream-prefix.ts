/**
 * Several deployments on one cluster: every stream of ours carries the deployment's prefix there, and nobody above this
 * sees it. `head` is the cluster's: with neighbours it may lie beyond the newest record of ours.
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
    subscribe: (options: SubscriptionOptions) =>
      inner.subscribe({
        ...options,
        prefixes: filters(options.prefixes),
        onBatch: (records, upTo) => options.onBatch(records.map(inside), upTo),
      }),
  };
}
