/** A dispatcher over the embedded store. */
import { webhookCollections } from '../../../workers/webhooks/documents.js';
import { temporaryStore } from '../../conformance/embedded.js';
import { dispatchingOver } from './dispatching.js';

export { answer, failure, type Answer, type TestEndpoint } from './dispatching.js';

export async function createHarness() {
  // The manual clock counts event-loop ticks, not milliseconds.
  const temporary = await temporaryStore();
  const { store } = temporary;
  for (const collection of webhookCollections) await store.readModels.define(collection);
  const harness = dispatchingOver(store);
  return {
    ...harness,
    async close(): Promise<void> {
      await harness.stop();
      await temporary.close();
    },
  };
}
