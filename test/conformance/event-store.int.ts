import { embeddedPort } from './embedded.js';
import { describeEventStore } from './event-store.js';
import { skippedSuite } from './support.js';

describeEventStore(
  'embedded',
  embeddedPort((store) => store.eventStore),
);
skippedSuite('EventStore: EventStoreDB', 'EVENTSTORE_URL not set');
