import { createDueTimes } from '../../adapters/mongodb/due-times.js';
import { systemClock } from '../../adapters/clock/system.js';
import { describeDueTimes } from './due-times.js';
import { embeddedPort } from './embedded.js';
import { mongodbUrl, temporaryDatabase } from './mongodb.js';
import { skippedSuite } from './support.js';

describeDueTimes(
  'embedded',
  embeddedPort((store) => store.dueTimes),
);

if (mongodbUrl === undefined) skippedSuite('DueTimes: MongoDB', 'MONGODB_URL not set');
else {
  describeDueTimes('MongoDB', async () => {
    const database = await temporaryDatabase(mongodbUrl);
    return {
      store: await createDueTimes(database.db, { clock: systemClock }),
      close: () => database.close(),
      reopen: async () => createDueTimes(await database.another(), { clock: systemClock }),
    };
  });
}
