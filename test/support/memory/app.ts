/** An application over stores in memory, with a manual clock. A test decides when read models catch up. */
import type { App } from '../../../application/app.js';
import { relay } from '../../../application/relay.js';
import type { EventStore } from '../../../ports/event-store.js';
import { projections } from '../../../projections/catalog.js';
import { catchUp } from '../../../projections/runner.js';
import { appOver, collectingLogger } from '../app.js';
import { fakeBarrier } from '../fakes/barrier.js';
import { manualClock } from '../fakes/manual-clock.js';
import { fakeProvider } from '../fakes/provider.js';
import { memoryBlobs } from './blobs.js';
import { memoryDueTimes } from './due-times.js';
import { memoryEventStore } from './event-store.js';
import { finding } from './finding.js';
import { memoryPersonalKeys } from './personal-keys.js';
import { memoryReadModels } from './read-models.js';
import { memoryTopics } from './topics.js';

export type MemoryApp = ReturnType<typeof memoryApp>;

export function memoryApp(parts: Partial<App> = {}) {
  const clock = manualClock();
  const inner = memoryEventStore();
  const topics = memoryTopics();
  const store: EventStore = {
    ...inner,
    async append(stream, expected, added) {
      const before = inner.records.length;
      const result = await inner.append(stream, expected, added);
      topics.log(inner.records.slice(before).flatMap((record) => relay(record)));
      return result;
    },
  };
  const dueTimes = memoryDueTimes(() => clock.now());
  const keys = memoryPersonalKeys({ now: () => clock.now() });
  const { logger, log } = collectingLogger();
  const barrier = fakeBarrier();
  const blobs = memoryBlobs();
  const provider = fakeProvider();
  const app = appOver(
    { store, readModels: finding(memoryReadModels()), topics: topics.port, dueTimes, keys },
    { clock, logger, barrier, blobs, provider: provider.port, ...parts },
  );
  return {
    app,
    clock,
    dueTimes,
    keys,
    log,
    barrier,
    blobs,
    provider,
    records: inner.records,
    /** Catches these read models up with all stored events. */
    async show(...names: readonly string[]): Promise<void> {
      for (const projection of projections)
        if (names.includes(projection.name)) await catchUp(projection, app);
    },
  };
}
