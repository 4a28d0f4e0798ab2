import { mongoPort } from '../adapters/mongodb/database.js';
import { embeddedPort } from './embedded.js';
import { mongodbUrl } from './mongodb.js';
import { describeReadModels } from './read-models.js';
import { skippedSuite } from './support.js';

describeReadModels(
  'embedded',
  embeddedPort((store) => store.readModels),
);
if (mongodbUrl === undefined) skippedSuite('ReadModels: MongoDB', 'MONGODB_URL not set');
else
  describeReadModels(
    'MongoDB',
    mongoPort(mongodbUrl, (mongo) => mongo.readModels),
    { runs: 15 },
  );
