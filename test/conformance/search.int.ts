import { embeddedPort } from './embedded.js';
import { describeSearch } from './search.js';
import { skippedSuite } from './support.js';

describeSearch(
  'embedded',
  embeddedPort((store) => store.readModels),
);
skippedSuite('Search: MongoDB', 'MONGODB_URL not set');
