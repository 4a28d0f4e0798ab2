/** The work of validating one request is bounded, however much of its body is invalid. */
import { expect } from 'chai';
import { loadContract, operationsOf, type ContractName } from '../../api/contract.js';
import { excerptOf, isLarge, LISTED_VALUES } from '../../api/middleware/excerpt.js';
import { firstFaultsOf } from '../../api/middleware/first-fault.js';
import { requestValidatorsOf } from '../../api/middleware/request-validator.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { requestBodyOf, type RequestBody } from '../support/contract/request-bodies.js';

const UUID = '3b0c8f5e-0000-4000-8000-000000000000';
const TEMPLATE = { recipient: { phone: '+5511987654321' }, type: 'template' };

/** A list that counts how many of its items were read. */
function counted(length: number, item: unknown): { readonly list: unknown[]; readonly read: () => number } {
  let reads = 0;
  const list = new Proxy(new Array(length).fill(item), {
    get(target, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  return { list, read: () => reads };
}

async function refusalOf(
  contract: ContractName,
  operationId: string,
  body: unknown,
  key: string | null = 'large',
  uuid = UUID,
): Promise<Refusal | null> {
  const { validators } = await requestValidatorsOf(loadContract(contract));
  const names = ['company_uuid', 'contact_uuid', 'flow_uuid'];
  const params = Object.fromEntries(names.map((name) => [name, uuid]));
  const headers = key === null ? {} : { 'idempotency-key': key };
  const req = {
    method: 'POST',
    path: '/',
    originalUrl: '/',
    query: {},
    params,
    headers,
    headersDistinct: {},
    body,
  };
  try {
    await validators.get(operationId)!(req as never, {} as never);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

const pathsOf = ({ details }: Refusal): readonly string[] =>
  (details['fields'] as readonly { readonly path: string }[]).map(({ path }) => path);

describe('validation of large bodies', () => {
  it('looks at few items of a list that is too long', async () => {
    const { list, read } = counted(300_000, 1);
    const refused = await refusalOf('public', 'sendMessage', {
      ...TEMPLATE,
      content: { name: 'a', language: 'pt_BR', parameters: list },
    });
    expect(pathsOf(refused!)[0]).to.equal('content.parameters');
    expect(refused!.details['fields']).to.have.length(50);
    expect(refused!.details['total']).to.equal(null);
    expect(refused!.message)
      .to.contain('must have at most 100 items')
      .and.to.contain('Not all of so long a body');
    expect(read()).to.be.lessThan(2 * LISTED_VALUES);
  });

  it('names the first faults of a table, and no more than 50 of unknown names', async () => {
    const row = { line: 1, phone: '+5511987654321', name: 'Ana', email: 'ana@example.com', tags: ['a', 'b'] };
    const rows = Array.from({ length: 500 }, (_none, n) => (n % 100 === 99 ? { ...row, line: 'x' } : row));
    const table = await refusalOf('admin', 'importContacts', { rows });
    expect(pathsOf(table!)).to.deep.equal(['rows[99].line', 'rows[199].line']);
    expect(table!.details['total']).to.equal(null);
    const late = await refusalOf('admin', 'importContacts', {
      rows: [...rows.filter((one) => one === row), {}],
    });
    expect(pathsOf(late!)).to.deep.equal(['rows[495].line']);
    const names = Object.fromEntries(Array.from({ length: 50_000 }, (_none, n) => [`n${n}`, 1]));
    expect(pathsOf((await refusalOf('public', 'updateContact', names))!)).to.have.length(50);
  });

  it('claims nothing to be missing that was left out of what it looks at', async () => {
    const names = Object.fromEntries(Array.from({ length: 5_000 }, (_none, n) => [`n${n}`, 1]));
    const refused = await refusalOf('public', 'sendMessage', {
      ...names,
      ...TEMPLATE,
      content: { name: 'a', language: 'pt_BR' },
    });
    const codes = (refused!.details['fields'] as readonly { readonly code: string }[]).map(
      ({ code }) => code,
    );
    expect(new Set(codes)).to.deep.equal(new Set(['unknown_field']));
    const { body } = excerptOf({ list: new Array(3 * LISTED_VALUES).fill({}), after: { a: 1 } });
    expect(body).to.deep.include({ after: { a: 1 } });
  });

  it('collects nothing of a variant that lets everything pass', async () => {
    const item = { name: 'a', price: '1.00', variants: new Array(LISTED_VALUES).fill(1) };
    expect(await refusalOf('public', 'batchStoreProducts', { products: [item] })).to.equal(null);
  });

  it('lists 50 faults of a body that is not large, and counts all', async () => {
    const refused = await refusalOf('public', 'updateContact', {
      tags: new Array(LISTED_VALUES - 1).fill(1),
    });
    expect(refused!.details['fields']).to.have.length(50);
    expect(refused!.details['total']).to.equal(LISTED_VALUES);
    expect(refused!.message).to.contain(`and ${LISTED_VALUES - 3} more`);
  });

  it('says what is wrong beside the body too, and that first which says more', async () => {
    const tags = new Array(LISTED_VALUES).fill(1);
    const keyless = await refusalOf('public', 'sendMessage', { tags }, null);
    expect(keyless!.code).to.equal('idempotency_key_required');
    const long = await refusalOf('public', 'sendMessage', { tags }, 'k'.repeat(129));
    expect(pathsOf(long!)).to.include('header.Idempotency-Key').and.to.include('tags');
    const nobody = await refusalOf('public', 'updateContact', { tags }, null, 'none');
    expect(nobody!.code).to.equal('not_found');
  });

  it('counts values at all levels, and no more of them than it needs', () => {
    const half = LISTED_VALUES / 2;
    expect(isLarge(new Array(LISTED_VALUES).fill(0))).to.equal(false);
    expect(isLarge(new Array(LISTED_VALUES + 1).fill(0))).to.equal(true);
    expect(isLarge([[new Array(half).fill({})], { a: new Array(half).fill('') }])).to.equal(true);
    for (const small of [undefined, null, 'a'.repeat(10_000), 1, {}]) expect(isLarge(small)).to.equal(false);
    const many = counted(100_000, []);
    expect(isLarge(many.list)).to.equal(true);
    expect(many.read()).to.equal(0);
  });

  for (const name of ['public', 'admin'] as const) {
    it(`takes every example of the ${name} contract, as the other validator does`, () => {
      const contract = loadContract(name);
      const firstFaultOf = firstFaultsOf(() => contract.document);
      for (const operation of operationsOf(contract.document)) {
        const body: RequestBody | undefined = requestBodyOf(contract.document, operation);
        for (const value of body?.valid ?? []) {
          expect(firstFaultOf(operation)(value), operation.operationId).to.deep.equal([]);
        }
      }
    });
  }
});
