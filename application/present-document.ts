import type { CollectionName, Document } from '../ports/read-models.js';
import type { App } from './app.js';

/**
 * A document that only its own stream feeds, as things stand: from its read model where that is complete, else from the
 * stream. For what can't wait; it never takes an empty or old read model for a fact. Undefined when there is none.
 */
export async function presentDocument<Doc extends Document>(
  app: Pick<App, 'barrier' | 'readModels' | 'replay'>,
  collection: CollectionName<Doc>,
  stream: string,
  id: string,
): Promise<Doc | undefined> {
  if (await app.barrier.passed([collection], 'recently')) {
    return (await app.readModels.get(collection, id))?.doc;
  }
  return app.replay(collection, stream);
}
