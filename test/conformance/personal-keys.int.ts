import { embeddedPort } from './embedded.js';
import { describePersonalKeys } from './personal-keys.js';
import { skippedSuite } from './support.js';

describePersonalKeys(
  'embedded',
  embeddedPort((store) => store.personalKeys),
);
skippedSuite('PersonalKeys: MongoDB', 'MONGODB_URL not set');
