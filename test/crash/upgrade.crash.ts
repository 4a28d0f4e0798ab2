/** The upgrade test on the embedded store. It is here because four starts take too long for `npm test`. */
import { upgradeAndBack } from '../support/e2e/upgrade-drill.js';

describe('an upgrade with other versions of read models, and back', () => {
  it('fails, parks, loses and doubles nothing, and leaves both versions alike', upgradeAndBack);
});
