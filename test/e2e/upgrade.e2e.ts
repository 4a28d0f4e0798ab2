/** On the real stack only. On the embedded store the crash suite runs it, where there is time for four starts. */
import { skippedSuite } from '../conformance/support.js';
import { TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { REAL_STACK } from '../support/e2e/stack.js';
import { upgradeAndBack } from '../support/e2e/upgrade-drill.js';

const NAME = 'an upgrade with other versions of read models, and back';

if (REAL_STACK) {
  describe(NAME, function () {
    this.timeout(TEST_TIMEOUT_MS);

    it('fails, parks, loses and doubles nothing, and leaves both versions alike', upgradeAndBack);
  });
} else skippedSuite(NAME, 'RECADO_E2E_STACK is not real; test/crash/upgrade.crash.ts runs it here');
