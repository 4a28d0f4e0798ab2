/**
 * The one way for workers to read read models: as of the event that they handle. What is not found, or was found a moment
 * ago, is then a fact of that event; a read model that does not show it yet is waited for (docs/adr/0024).
 */
import type { App } from '../../application/app.js';
import type { UpTo } from '../../application/barrier.js';
import { parseAddress, type ReadModels } from '../../ports/read-models.js';

/**
 * @param hints read models that only say where to look: streams decide what is found there, and what is not. They are
 * read as they are
 * @throws from every read of another one: ReadModelBehind
 */
export function upTo(app: App, position: UpTo, hints: readonly string[] = []): App {
  const { readModels: inner, barrier } = app;
  async function asOfThen<T>(collection: string, read: () => Promise<T>): Promise<T> {
    const { name } = parseAddress(collection)!;
    if (barrier.guards(name) && !hints.includes(name)) await barrier.wait([name], position);
    return read();
  }
  const readModels: ReadModels = {
    ...inner,
    get: (collection, id) => asOfThen(collection, () => inner.get(collection, id)),
    getMany: (collection, ids) => asOfThen(collection, () => inner.getMany(collection, ids)),
    find: (collection, query) => asOfThen(collection, () => inner.find(collection, query)),
    search: (collection, query) => asOfThen(collection, () => inner.search(collection, query)),
    count: (collection, index, equals) => asOfThen(collection, () => inner.count(collection, index, equals)),
    scan: (collection, query) => asOfThen(collection, () => inner.scan(collection, query)),
  };
  return { ...app, readModels };
}
