/** The audit has words for everything that it lists. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { auditKindOf, AUDITED } from '../../domain/policies/audit.js';
import { projectFile } from '../support/root.js';

describe('console: words of the audit', () => {
  const words = readFileSync(projectFile('console/words/audit.ts'), 'utf8');

  it('name every event that an auditor reads, and every kind', () => {
    const kinds = new Set(AUDITED.map((type) => auditKindOf(type) ?? ''));
    const wanted = [
      ...AUDITED.map((type) => `did.${type}`),
      ...[...kinds].map((kind) => `auditKind.${kind}`),
    ];
    expect(wanted.filter((word) => !words.includes(`'${word}':`))).to.deep.equal([]);
  });
});
