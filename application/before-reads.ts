import { parseAddress, type ReadModels } from '../ports/read-models.js';

/**
 * Read models whose reads something precedes: it gets the read model's name, and what it answers is waited for.
 * Commits, checkpoints and definitions are not reads.
 */
export function beforeReads(
  inner: ReadModels,
  before: (model: string) => Promise<void> | undefined,
): ReadModels {
  function then<T>(collection: string, read: () => Promise<T>): Promise<T> {
    const first = before(parseAddress(collection)!.name);
    return first ? first.then(read) : read();
  }
  return {
    ...inner,
    get: (collection, id) => then(collection, () => inner.get(collection, id)),
    getMany: (collection, ids) => then(collection, () => inner.getMany(collection, ids)),
    find: (collection, query) => then(collection, () => inner.find(collection, query)),
    search: (collection, query) => then(collection, () => inner.search(collection, query)),
    count: (collection, index, equals) => then(collection, () => inner.count(collection, index, equals)),
    scan: (collection, query) => then(collection, () => inner.scan(collection, query)),
  };
}
