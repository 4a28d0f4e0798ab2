import { describeDueTimes } from './due-times.js';
import { embeddedPort } from './embedded.js';
import { skippedSuite } from './support.js';

describeDueTimes(
  'embedded',
  embeddedPort((store) => store.dueTimes),
);
skippedSuite('DueTimes: MongoDB', 'MONGODB_URL not set');
