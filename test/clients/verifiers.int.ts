/** The verifiers that docs/webhooks.md gives to integrators, run over the published vectors. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { verifySignature } from '../../clients/typescript/src/verify-signature.js';
import { projectFile } from '../support/root.js';
import { bodyOf, VECTOR_FILE, type VectorFile } from '../vectors/generate-webhook-signatures.js';
import { COMPILED, expected, isInstalled, judgedBy, SCRIPTS } from './verifiers.js';

const { vectors } = JSON.parse(readFileSync(VECTOR_FILE, 'utf8')) as VectorFile;

describe('verifiers of webhook signatures', () => {
  for (const vector of vectors) {
    it(`TypeScript: ${vector.name}`, async () => {
      const { headers, secrets, now } = vector;
      const verdict = await verifySignature({
        rawBody: bodyOf(vector),
        timestamp: headers['Service-Timestamp'],
        signature: headers['Service-Signature'],
        secrets,
        now,
      });
      expect(verdict).to.equal(vector.expect.service);
    });
  }

  for (const verifier of SCRIPTS) {
    it(`${verifier.language} judges the vectors as they say`, function () {
      if (!isInstalled(verifier)) {
        console.log(`      SKIPPED: ${verifier.language} is not installed here (${verifier.probe[0]})`);
        return this.skip();
      }
      expect(judgedBy(verifier)).to.deep.equal(expected);
    });
  }

  it('are all in the documentation', () => {
    const page = readFileSync(projectFile('docs/webhooks.md'), 'utf8');
    for (const { file } of [...SCRIPTS, ...COMPILED]) expect(page).to.include(`(../${file})`);
    expect(page)
      .to.include('(../clients/typescript/src/verify-signature.ts)')
      .and.to.include('clients/vectors.json');
  });
});
