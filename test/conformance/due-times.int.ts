import { describeDueTimes } from './due-times.js';
import { embeddedPort } from './embedded.js';
import { mongoPort, mongoUrl } from './mongodb.js';
import { skippedSuite } from './support.js';

describeDueTimes(
  'embedded',
  embeddedPort((store) => store.dueTimes),
);

if (mongoUrl === undefined) skippedSuite('DueTimes: MongoDB', 'MONGODB_URL not set');
else {
  describeDueTimes(
    'MongoDB',
    mongoPort(mongoUrl, (mongo) => mongo.dueTimes),
  );
}
