import { embeddedPort, WRITTEN_BY_THREAD } from './embedded.js';
import { mongoPort, mongoUrl } from './mongodb.js';
import { describeReadModels } from './read-models.js';
import { skippedSuite } from './support.js';

describeReadModels(
  'embedded',
  embeddedPort((store) => store.readModels),
);

describeReadModels(
  'embedded, with a thread that writes the log',
  embeddedPort((store) => store.readModels, WRITTEN_BY_THREAD),
);
describeReadModels(
  'embedded, packed',
  embeddedPort((store) => store.readModels),
  { spec: { packed: true } },
);
describeReadModels(
  'embedded, with ids that begin like what they are found by',
  embeddedPort((store) => store.readModels),
  { spec: { idsBegin: { index: 'by_rank', characters: 1 } } },
);
if (mongoUrl === undefined) skippedSuite('ReadModels: MongoDB', 'MONGODB_URL not set');
else
  describeReadModels(
    'MongoDB',
    mongoPort(mongoUrl, (mongo) => mongo.readModels),
    { runs: 15 },
  );
