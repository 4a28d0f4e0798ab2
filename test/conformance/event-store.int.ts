import { openEventStoreDb } from '../../adapters/eventstoredb/open.js';
import { silentLogger } from '../../ports/logger.js';
import { startEventStoreStandIn } from '../support/eventstoredb/stand-in.js';
import { embeddedPort, WRITTEN_BY_THREAD } from './embedded.js';
import { describeEventStore, type EventStoreHarness } from './event-store.js';
import { skippedSuite } from './support.js';

describeEventStore(
  'embedded',
  embeddedPort((store) => store.eventStore),
);

describeEventStore(
  'embedded, with a thread that writes the log',
  embeddedPort((store) => store.eventStore, WRITTEN_BY_THREAD),
);

/** A new adapter on the same server, as after a restart of our process. */
function eventStoreDb(url: string, end: () => Promise<void> = async () => undefined): EventStoreHarness {
  let open = openEventStoreDb({ url, logger: silentLogger });
  return {
    store: open.eventStore,
    async reopen() {
      await open.close();
      open = openEventStoreDb({ url, logger: silentLogger });
      return open.eventStore;
    },
    async close() {
      await open.close();
      await end();
    },
  };
}

describeEventStore(
  'EventStoreDB (stand-in)',
  async () => {
    const server = await startEventStoreStandIn();
    return eventStoreDb(server.url, () => server.stop());
  },
  { runs: 15, together: false },
);

const url = process.env['EVENTSTORE_URL'];
if (url) describeEventStore('EventStoreDB', async () => eventStoreDb(url), { runs: 10, together: false });
else skippedSuite('EventStore: EventStoreDB', 'EVENTSTORE_URL not set');
