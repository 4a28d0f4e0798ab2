/** The verifiers of clients/verify whose language compiles first. The others are in test/clients/verifiers.int.ts. */
import { expect } from 'chai';
import { COMPILED, expected, isInstalled, judgedBy } from '../clients/verifiers.js';

describe('verifiers of webhook signatures that are compiled', () => {
  for (const verifier of COMPILED) {
    it(`${verifier.language} judges the vectors as they say`, function () {
      if (!isInstalled(verifier)) {
        console.log(`      SKIPPED: ${verifier.language} is not installed here (${verifier.probe[0]})`);
        return this.skip();
      }
      expect(judgedBy(verifier)).to.deep.equal(expected);
    });
  }
});
