import type { App } from './app.js';

/**
 * A document that only its own stream feeds, as things stand: from its read model where that is complete, else from the
 * stream. For what can't wait; it never takes an empty or old read model for a fact. Undefined when there is none.
 */
export async function presentDocument<T>(
  app: Pick<App, 'barrier' | 'readModels' | 'replay'>,
  collection: string,
  stream: string,
  id: string,
): Promise<T | undefined> {
  if (await app.barrier.passed([collection], 'recently')) {
    return (await app.readModels.get<T>(collection, id))?.doc;
  }
  return app.replay<T>(collection, stream);
}
