/** The relay over stores in memory, with faults of the topics and of its lease. */
import { newId } from '../../../adapters/clock/system.js';
import { createLeases } from '../../../adapters/embedded/leases.js';
import type { App } from '../../../application/app.js';
import { markRestored, restoredRecord } from '../../../application/restore/horizon.js';
import { conversationStream } from '../../../domain/streams.js';
import { silentLogger } from '../../../ports/logger.js';
import type { Ahead, NewMessage, Topics } from '../../../ports/topics.js';
import { RELAY, startRelay } from '../../../workers/relay/worker.js';
import { meta } from '../../conformance/support.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { memoryEventStore } from '../../support/memory/event-store.js';
import { memoryReadModels, type Step } from '../../support/memory/read-models.js';

/** @param ahead creates topics that track their messages later; their own `publish` is used */
export function relayWorld(
  step: (kind: Step, what: string) => Promise<void> | void = () => undefined,
  ahead?: (publish: Topics['publish']) => Ahead,
) {
  const clock = manualClock();
  const store = memoryEventStore();
  const readModels = memoryReadModels(step);
  const published: string[] = [];
  /** `leaseEnded`: another process has the lease, and the holder is not notified. */
  const fault: { publish?: () => Promise<void> | void; leaseEnded?: boolean } = {};
  const logged: string[] = [];
  const log = (_fields: unknown, message: string): void => void logged.push(message);
  const leases = createLeases();
  async function publish(messages: readonly NewMessage[]): Promise<void> {
    await fault.publish?.();
    published.push(...messages.map(({ value }) => String(value['event_id'])));
  }
  const topics: Topics = {
    publish,
    ...(ahead ? { ahead: ahead(publish) } : {}),
    consume: () => {
      throw new Error('nothing is consumed here');
    },
  };
  let n = 0;
  const app = {
    store,
    readModels,
    topics,
    clock,
    logger: { ...silentLogger, warn: log, error: log },
    leases: {
      ...leases,
      async acquire(name: string) {
        const lease = await leases.acquire(name);
        return lease && { ...lease, held: () => fault.leaseEnded !== true && lease.held() };
      },
    },
  } as unknown as App;
  return {
    app,
    clock,
    store,
    published,
    fault,
    logged,
    at: () => readModels.standsAt(RELAY),
    readModels,
    /** Starts another process's relay, which does not know that the lease is held. */
    other: () => startRelay({ ...app, leases: createLeases() }),
    restored: (nothing_ran_since: boolean) =>
      markRestored(
        store,
        restoredRecord({ source: 'servers', nothing_ran_since }, { now: clock.now(), newId }),
      ),
    async happen(type = 'ConversationOpened') {
      n += 1;
      const id = `${type}-${n}`;
      const stream = conversationStream.toName(`c${n}`);
      await store.append(stream, 'no_stream', [{ eventId: id, type, data: {}, meta: meta() }]);
      return id;
    },
  };
}
