/** Controls name the operation that they call, so that the page offers no more than a role may do (console/may.ts). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadContract, operationsOf } from '../../api/contract.js';
import { accessOf } from '../../api/admin/access.js';
import { CONSOLE_ROLES, consoleRoles } from '../tools/client-types.js';
import { isAtLeast, isRole } from '../../domain/policies/roles.js';
import { projectFile } from '../support/root.js';

const FOLDER = projectFile('console');
const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('server') && !/(contract|roles)\.ts$/.test(name))
  .map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const);
const all = sources.map(([, text]) => text).join('\n');
const { document } = loadContract('admin');
const OPERATIONS = operationsOf(document);
const ACCESS = accessOf(document);

const namedIn = (text: string): readonly string[] =>
  [...text.matchAll(/data-op="(\w+)"|useMay\('(\w+)'\)/g)].map(
    ([, attribute, hook]) => attribute ?? hook ?? '',
  );
const offered = new Set(namedIn(all));

/** A control of the same part of the page that needs as much: where it is not offered, neither is what follows it. */
const covers = (named: string, called: string): boolean => {
  const role = isRole(named) ? named : ACCESS.get(named)?.role;
  const least = ACCESS.get(called)?.role;
  return role !== undefined && least !== undefined && isAtLeast(role, least);
};

/** A path of a template string, as the paths of the contract that it can be. */
function fitting(method: string, literal: string): readonly string[] {
  const [path = ''] = literal.split('?');
  const escaped = path
    .replace(/^\$\{[^}]*\}/, '\0')
    .replace(/\$\{[^}]*\}/g, '\x01')
    .replace(/[.*+^$()|[\]\\]/g, '\\$&')
    .replace('\0', '.*')
    .replaceAll('\x01', '[^/]+');
  const pattern = new RegExp(`^${escaped}$`);
  return OPERATIONS.filter((one) => one.method === method && pattern.test(one.path)).map(
    ({ operationId }) => operationId,
  );
}

const roleOf = (operation: string): string => ACCESS.get(operation)?.role ?? 'visitor';

describe('console: what is offered', () => {
  it('the roles of the page are those of the contract', () => {
    expect(readFileSync(CONSOLE_ROLES, 'utf8') === consoleRoles(), 'run `npm run client:types`').to.equal(
      true,
    );
  });

  it('every name on a control is that of an operation, or a role', () => {
    const roles = ['agent', 'owner', 'operator'];
    const unknown = [...offered].filter((name) => !ACCESS.has(name) && !roles.includes(name));
    expect(unknown).to.deep.equal([]);
  });

  it('no call of the page needs a role that the control does not know of', () => {
    const calls = /\b(send|get|list)(?:<[^(]*>)?\(\s*(?:'(POST|PUT|PATCH|DELETE)',\s*)?[`']([^`']*)[`']/g;
    const unnamed: string[] = [];
    let seen = 0;
    for (const [name, text] of sources) {
      for (const [, , method = 'GET', literal = ''] of text.matchAll(calls)) {
        const found = fitting(method, literal).filter((one) => roleOf(one) !== 'visitor');
        // Operators get sections and parts of their own.
        if (found.length === 0 || found.some((one) => ['viewer', 'operator'].includes(roleOf(one)))) continue;
        seen += 1;
        const known = found.some((one) => offered.has(one) || namedIn(text).some((two) => covers(two, one)));
        if (!known) unnamed.push(`${name}: ${method} ${literal} (${found.join(', ')})`);
      }
    }
    expect(seen).to.be.greaterThan(30);
    expect(unnamed).to.deep.equal([]);
  });
});
