import { embeddedPort } from './embedded.js';
import { mongoPort, mongoUrl } from './mongodb.js';
import { describeSearch } from './search.js';
import { skippedSuite } from './support.js';

describeSearch(
  'embedded',
  embeddedPort((store) => store.readModels),
);
if (mongoUrl === undefined) skippedSuite('Search: MongoDB', 'MONGODB_URL not set');
else
  describeSearch(
    'MongoDB',
    mongoPort(mongoUrl, (mongo) => mongo.readModels),
    { runs: 15 },
  );
