import { describeDueTimes } from './due-times.js';
import { keptInMemory, keptOver } from './kept-rows.js';
import { embeddedPort, WRITTEN_BY_THREAD } from './embedded.js';
import { mongoPort, mongoUrl } from './mongodb.js';
import { skippedSuite } from './support.js';

describeDueTimes(
  'embedded',
  embeddedPort((store) => store.dueTimes),
);

describeDueTimes(
  'embedded, with a thread that writes the log',
  embeddedPort((store) => store.dueTimes, WRITTEN_BY_THREAD),
);

describeDueTimes(
  'rows kept over the embedded store, and moved there between any two calls',
  embeddedPort((store) => keptOver(store.dueTimes)),
);
describeDueTimes('rows kept in memory', async () => keptInMemory('never'));
describeDueTimes('rows kept in memory, and moved to the store between any two calls', async () =>
  keptInMemory('often'),
);

if (mongoUrl === undefined) skippedSuite('DueTimes: MongoDB', 'MONGODB_URL not set');
else {
  describeDueTimes(
    'MongoDB',
    mongoPort(mongoUrl, (mongo) => mongo.dueTimes),
  );
  describeDueTimes(
    'rows kept over MongoDB, and moved there between any two calls',
    mongoPort(mongoUrl, (mongo) => keptOver(mongo.dueTimes)),
  );
}
