/** The audit has words for everything that it lists. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { recordingOf } from '../../api/admin/upkeep.js';
import { loadContract } from '../../api/contract.js';
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

  it('name everything that is recorded as asked for, and nothing else', () => {
    const asked = [...words.matchAll(/'asked\.(\w+)':/g)].map(([, operation]) => operation);
    expect(asked).to.have.members([...recordingOf(loadContract('admin').document).keys()]);
  });
});
