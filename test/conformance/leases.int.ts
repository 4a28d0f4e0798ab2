import { createLeases } from '../../adapters/embedded/leases.js';
import { describeLeases } from './leases.js';
import { mongoUrl, temporaryDatabase } from './mongodb.js';
import { skippedSuite } from './support.js';

describeLeases('embedded', async () => {
  const store = createLeases();
  return { store, another: store, close: async () => undefined };
});

if (mongoUrl === undefined) skippedSuite('Leases: MongoDB', 'MONGODB_URL not set');
else {
  const server = mongoUrl;
  describeLeases('MongoDB', async () => {
    const database = temporaryDatabase(server);
    const [one, two] = [await database.open(), await database.open()];
    return { store: one.leases, another: two.leases, close: () => database.close() };
  });
}
