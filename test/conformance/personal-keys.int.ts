import { embeddedPort, WRITTEN_BY_THREAD } from './embedded.js';
import { mongoUrl, temporaryDatabase } from './mongodb.js';
import { describePersonalKeys } from './personal-keys.js';
import { skippedSuite } from './support.js';

describePersonalKeys(
  'embedded',
  embeddedPort((store) => store.personalKeys),
);

describePersonalKeys(
  'embedded, with a thread that writes the log',
  embeddedPort((store) => store.personalKeys, WRITTEN_BY_THREAD),
);

if (mongoUrl === undefined) skippedSuite('PersonalKeys: MongoDB', 'MONGODB_URL not set');
else {
  const server = mongoUrl;
  describePersonalKeys('MongoDB', async () => {
    const database = temporaryDatabase(server);
    // Short, because every destruction of a key waits this long.
    const open = async () => (await database.open({ limits: { keysFreshMs: 200 } })).personalKeys;
    return { store: await open(), close: () => database.close(), reopen: open };
  });
}
