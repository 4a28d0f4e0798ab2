/** On the real stack only: on the embedded store the crash suite runs it, where four starts fit. */
import { TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { REAL_STACK } from '../support/e2e/stack.js';
import { upgradeAndBack } from '../support/e2e/upgrade-drill.js';

(REAL_STACK ? describe : describe.skip)(
  'an upgrade with other versions of read models, and back',
  function () {
    this.timeout(TEST_TIMEOUT_MS);

    it('fails, parks, loses and doubles nothing, and leaves both versions alike', upgradeAndBack);
  },
);
