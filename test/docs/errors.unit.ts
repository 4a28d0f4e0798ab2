/** docs/errors.md lists every error code of both contracts, with the status that the API gives it. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { loadContract, type ContractName } from '../../api/contract.js';
import { statusOf } from '../../api/errors.js';
import { isRefusalCode } from '../../domain/kernel/refusal.js';
import { projectFile } from '../support/root.js';

/** Codes of requests that never reach the routes: the listener answers with the status itself. */
const OF_THE_LISTENER: Readonly<Record<string, number>> = {
  bad_request: 400,
  request_timeout: 408,
  expectation_failed: 417,
};
const ELSEWHERE = new Set(['operation', 'flow', 'warning', 'notice']);

interface Row {
  readonly code: string;
  readonly where: readonly string[];
  readonly cause: string;
  readonly advice: string;
}

function codesOf(name: ContractName): readonly string[] {
  const { components } = loadContract(name).document as unknown as {
    components: { schemas: { ErrorCode: { 'x-extensible-enum': readonly string[] } } };
  };
  return components.schemas.ErrorCode['x-extensible-enum'];
}

const rowsOf = (section: string): readonly Row[] =>
  [...section.matchAll(/^\| `([a-z_]+)` +\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, code, where, cause, advice]) => ({
      code: code!,
      where: where!.trim().split(', '),
      cause: cause!.trim(),
      advice: advice!.trim(),
    }),
  );

describe('docs/errors.md', () => {
  const page = readFileSync(projectFile('docs/errors.md'), 'utf8');
  const [, integrators = '', operators = ''] = page.split(/^## .*$/m);
  const [ofAll, ofAdmin] = [rowsOf(integrators), rowsOf(operators)];

  it('lists the codes of the contract, and apart those that only the admin API has', () => {
    const known = codesOf('public');
    expect(ofAll.map(({ code }) => code)).to.have.members(known);
    expect(ofAdmin.map(({ code }) => code)).to.have.members(
      codesOf('admin').filter((code) => !known.includes(code)),
    );
    for (const rows of [ofAll, ofAdmin]) expect(rows).to.deep.equal([...rows].sort(byCode));
  });

  it('names the status of each code, or where else it is found', () => {
    for (const { code, where } of [...ofAll, ...ofAdmin]) {
      const [statuses, others] = [
        where.filter((one) => /^\d+$/.test(one)).map(Number),
        where.filter((one) => !/^\d+$/.test(one)),
      ];
      expect(where, code).to.not.be.empty;
      expect(
        statuses.filter(
          (status) => status !== (OF_THE_LISTENER[code] ?? (isRefusalCode(code) ? statusOf(code) : null)),
        ),
        code,
      ).to.deep.equal([]);
      expect(
        others.filter((one) => !ELSEWHERE.has(one)),
        code,
      ).to.deep.equal([]);
    }
  });

  it('says for each code why it comes and what to do', () => {
    for (const { code, cause, advice } of [...ofAll, ...ofAdmin]) {
      expect(cause, code).to.match(/^[A-Z"`].+\.$/);
      expect(advice, code).to.match(/^[A-Z"`].+[.)]$/);
    }
  });
});

const byCode = (a: Row, b: Row): number => (a.code < b.code ? -1 : 1);
