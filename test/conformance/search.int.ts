import { mongoPort } from '../adapters/mongodb/database.js';
import { embeddedPort } from './embedded.js';
import { mongodbUrl } from './mongodb.js';
import { describeSearch } from './search.js';
import { skippedSuite } from './support.js';

describeSearch(
  'embedded',
  embeddedPort((store) => store.readModels),
);
if (mongodbUrl === undefined) skippedSuite('Search: MongoDB', 'MONGODB_URL not set');
else
  describeSearch(
    'MongoDB',
    mongoPort(mongodbUrl, (mongo) => mongo.readModels),
    { runs: 15 },
  );
