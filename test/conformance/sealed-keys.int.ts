import { embeddedPort } from './embedded.js';
import { mongoPort, mongoUrl } from './mongodb.js';
import { describeSealedKeys, type KeysOfDeployment } from './sealed-keys.js';
import { skippedSuite } from './support.js';

const both = ({
  personalKeys,
  sealedKeys,
}: {
  readonly personalKeys: KeysOfDeployment['personal'];
  readonly sealedKeys: KeysOfDeployment['sealed'];
}): KeysOfDeployment => ({ personal: personalKeys, sealed: sealedKeys });

describeSealedKeys('embedded', embeddedPort(both));

if (mongoUrl === undefined) skippedSuite('SealedKeys: MongoDB', 'MONGODB_URL not set');
// Short, because every destruction of a key waits this long.
else describeSealedKeys('MongoDB', mongoPort(mongoUrl, both, { limits: { keysFreshMs: 200 } }));
