import { parseAddress, type ReadModels } from '../ports/read-models.js';

/** A key that identifies the query to a read model. Null for queries that are not worth caching. */
export type Question = (() => string) | null;

/**
 * @param model name of the queried read model
 * @param read may be called again
 */
export type AroundRead = <T>(model: string, read: () => Promise<T>, question: Question) => Promise<T>;

/** Wraps read models so that each read passes through `around`. Commits, checkpoints and definitions are not reads. */
export function aroundReads(inner: ReadModels, around: AroundRead): ReadModels {
  const of = <T>(collection: string, read: () => Promise<T>, question: Question = null): Promise<T> =>
    around(parseAddress(collection)!.name, read, question);
  return {
    ...inner,
    get: (collection, id) =>
      of(
        collection,
        () => inner.get(collection, id),
        () => JSON.stringify([collection, id]),
      ),
    getMany: (collection, ids) => of(collection, () => inner.getMany(collection, ids)),
    find: (collection, query) =>
      of(
        collection,
        () => inner.find(collection, query),
        () => JSON.stringify([collection, query]),
      ),
    search: (collection, query) => of(collection, () => inner.search(collection, query)),
    count: (collection, index, equals) => of(collection, () => inner.count(collection, index, equals)),
    scan: (collection, query) => of(collection, () => inner.scan(collection, query)),
  };
}
