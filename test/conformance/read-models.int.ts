import { embeddedPort } from './embedded.js';
import { describeReadModels } from './read-models.js';
import { skippedSuite } from './support.js';

describeReadModels(
  'embedded',
  embeddedPort((store) => store.readModels),
);
skippedSuite('ReadModels: MongoDB', 'MONGODB_URL not set');
