/** A dispatcher over stores in memory, each call of which takes an event-loop tick, as real ones do. */
import type { DueTimes } from '../../../ports/due-times.js';
import type { ReadModels } from '../../../ports/read-models.js';
import { webhookCollections } from '../../../workers/webhooks/documents.js';
import { manualClock, turns } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { memoryReadModels } from '../../support/memory/read-models.js';
import { dispatchingOver } from './dispatching.js';

export type MemoryHarness = Awaited<ReturnType<typeof createMemoryHarness>>;

export async function createMemoryHarness() {
  const clock = manualClock();
  const models = memoryReadModels();
  for (const collection of webhookCollections) await models.define(collection);
  const rows = memoryDueTimes(() => clock.now());
  const dueTimes: DueTimes = {
    ...rows,
    lanes: (...args) => turns(1).then(() => rows.lanes(...args)),
    claim: (...args) => turns(1).then(() => rows.claim(...args)),
    settle: (...args) => turns(1).then(() => rows.settle(...args)),
  };
  const readModels: ReadModels = {
    ...models,
    getMany: (collection, ids) => turns(1).then(() => models.getMany(collection, ids)),
    write: (...args) => turns(1).then(() => models.write(...args)),
  };
  const harness = dispatchingOver({ dueTimes, readModels }, clock);
  return {
    ...harness,
    waiting: () => rows.rows('webhook'),
    /** When the first unclaimed row of each endpoint is due. */
    free: async () => (await rows.lanes('webhook', clock.now())).map(({ nextDueAt }) => nextDueAt),
    /** A dispatcher that has done all that is due now, with one delivery to a new endpoint. */
    async first(overrides: Parameters<typeof harness.start>[0] = {}) {
      const endpoint = harness.addEndpoint();
      const [delivery] = await harness.enqueue(endpoint, 1, { correlationId: 'trace' });
      const begun = clock.now();
      const dispatcher = harness.start(overrides);
      await clock.advance(0);
      return { endpoint, delivery: delivery!, dispatcher, begun };
    },
  };
}
