import { openEventStoreDb } from '../../adapters/eventstoredb/open.js';
import { textsOf } from '../../application/history/texts.js';
import { silentLogger } from '../../ports/logger.js';
import { memoryEventStore } from '../support/memory/event-store.js';
import { startEventStoreStandIn } from '../support/eventstoredb/stand-in.js';
import { embeddedPort } from './embedded.js';
import { describeHistoryTexts, type HistoryTextsHarness } from './history-texts.js';
import { skippedSuite } from './support.js';

describeHistoryTexts(
  'embedded',
  embeddedPort(({ eventStore, historyTexts }) => ({ events: eventStore, texts: historyTexts })),
);

describeHistoryTexts('made of records', async () => {
  const events = memoryEventStore();
  return { store: { events, texts: textsOf(events) }, close: async () => undefined };
});

function eventStoreDb(url: string, end: () => Promise<void> = async () => undefined): HistoryTextsHarness {
  const opened = openEventStoreDb({ url, logger: silentLogger });
  const { eventStore: events } = opened;
  return {
    store: { events, texts: textsOf(events) },
    async close() {
      await opened.close();
      await end();
    },
  };
}

describeHistoryTexts('EventStoreDB (stand-in)', async () => {
  const server = await startEventStoreStandIn();
  return eventStoreDb(server.url, () => server.stop());
});

const url = process.env['EVENTSTORE_URL'];
if (url) describeHistoryTexts('EventStoreDB', async () => eventStoreDb(url));
else skippedSuite('HistoryTexts: EventStoreDB', 'EVENTSTORE_URL not set');
