import type { CollectionName, Document } from '../ports/read-models.js';
import type { App } from './app.js';

/**
 * The current state of a document that only its own stream feeds: from its read model where that is complete, else from
 * the stream. For callers that cannot wait; a missing or stale document in a lagging read model is never taken as fact.
 * Undefined when it does not exist. A result is used for up to a second, unless an event concerned the read model.
 */
export async function presentDocument<Doc extends Document>(
  app: Pick<App, 'barrier' | 'readModels' | 'replay'>,
  collection: CollectionName<Doc>,
  stream: string,
  id: string,
): Promise<Doc | undefined> {
  if (await app.barrier.passed([collection], 'recently')) {
    const read = async () => ({ doc: (await app.readModels.get(collection, id))?.doc });
    return (await app.barrier.remembered(collection, `present ${id}`, read)).doc;
  }
  return app.replay(collection, stream);
}
