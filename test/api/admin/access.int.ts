/**
 * Every operation of the contract, called by every role: about things of the own company, of another one, and of none.
 * What must come out follows from the contract alone, so a new operation is walked at once.
 */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { accessOf } from '../../../api/admin/access.js';
import { SESSION_COOKIE } from '../../../api/admin/authenticate.js';
import { loadContract, operationsOf, type ContractOperation } from '../../../api/contract.js';
import { directCommand } from '../../../application/app.js';
import type { Person } from '../../../application/console/sessions.js';
import { executionAggregate } from '../../../domain/execution/decide.js';
import { isAtLeast } from '../../../domain/policies/roles.js';
import { enqueueDeliveries } from '../../../workers/webhooks/enqueue.js';
import { addChannel, addCustomer, addInboundMessage } from '../../support/api/world.js';
import { executionCommandExamples } from '../../support/examples/execution.js';
import { opened } from '../../support/opened.js';
import { acceptText } from '../../support/sends/attempt.js';
import { invite } from './people.js';
import { newCompany, openAdmin } from './server.js';

const { document } = loadContract('admin');
const ACCESS = accessOf(document);
const OPERATIONS = operationsOf(document).filter(
  ({ operationId }) => ACCESS.get(operationId)!.role !== 'visitor',
);
const UNKNOWN = '0198a6f0-ffff-7000-8000-0000000000ff';

const CALLERS = ['viewer', 'agent', 'owner', 'operator'] as const;
type CallerRole = (typeof CALLERS)[number];
type Things = Readonly<Record<string, string>>;

/** What paths name that is the operators' alone. */
const OPERATORS_THINGS: Things = {
  session_uuid: UNKNOWN,
  rebuild_uuid: UNKNOWN,
  backup_uuid: UNKNOWN,
  held_uuid: UNKNOWN,
  gap_uuid: UNKNOWN,
  name: 'nothing',
  generation: '1',
  version: '1',
  id: '7',
  play: 'status',
};

/** What the furnished company lacks: templates were never synchronised, and its message is a text. */
const NOT_MADE: ReadonlySet<string> = new Set([
  'getTemplateSync',
  'requestMedia',
  'getMessagePicture',
  'getMessageFile',
]);

const takesBody = ({ method, path }: ContractOperation): boolean =>
  document.paths[path]![method.toLowerCase()]!['requestBody'] !== undefined;

/** Reads before changes, and what removes last, parts before the whole: each finds what it is about. */
const weight = (operation: ContractOperation): number =>
  operation.method === 'GET' ? 0 : takesBody(operation) ? 1 : operation.method === 'DELETE' ? 3 : 2;
const WALK = [...OPERATIONS].sort((a, b) => weight(a) - weight(b) || b.path.length - a.path.length);

interface Outcome {
  readonly status: number;
  readonly code: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly message: string | undefined;
  readonly data: unknown;
}

describe('admin: who may what', function () {
  this.timeout(120_000);
  const server = opened(openAdmin);
  let own: Things;
  let foreign: Things;
  let numbers = 0;
  const members = new Map<string, string>();

  const made = async (method: string, path: string, body?: unknown): Promise<string> => {
    const key = { 'idempotency-key': `${method} ${path}` };
    const answer = await server.call(method, path, body, undefined, key);
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).to.be.lessThan(300);
    return String(answer.data['uuid']);
  };

  /** A company with one of each thing that paths name. */
  async function furnished(name: string): Promise<Things> {
    const { app } = server;
    const company = await newCompany(server, name);
    const at = `/companies/${company}`;
    const integration = await made('POST', `${at}/integrations`, { name });
    const key = await server.call('POST', `/integrations/${integration}/keys`, {
      label: name,
      scopes: ['messages:send'],
    });
    const endpoint = await made('POST', `/integrations/${integration}/webhooks`, {
      url: 'https://hooks.example/recado',
    });
    const replay = await made('POST', `/webhooks/${endpoint}/replays`, {
      from: new Date(app.clock.now() - 7_200_000).toISOString(),
      to: new Date(app.clock.now() - 3_600_000).toISOString(),
    });
    numbers += 1;
    const phoneNumberId = String(106540352240000 + numbers);
    const channel = await addChannel(app, company, '102290129340398', { phoneNumberId });
    const customer = await addCustomer(app, { company, channel }, { phone: '+5511987654321', name });
    const leaving = await addCustomer(app, { company, channel }, { phone: '+5511987654322', name });
    const erased = await server.call('POST', `/contacts/${leaving.contact}/erase`);
    const message = await addInboundMessage(app, { company, channel }, customer, 'Oi');
    const operation = await acceptText(
      app,
      { company, channel, integration },
      { subject: customer.subject, phone: '+5511987654321' },
      'Olá',
    );
    const execution = app.newId();
    const { command } = executionCommandExamples.create;
    await app.executor.execute(
      executionAggregate,
      execution,
      { ...command, data: { ...command.data, company_uuid: company } },
      directCommand(app, { company, actor: 'test' }, customer.subject),
    );
    const delivery = app.newId();
    await enqueueDeliveries(app, [
      {
        deliveryId: delivery,
        companyUuid: company,
        integrationUuid: integration,
        endpointUuid: endpoint,
        eventId: app.newId(),
        eventType: 'message.received',
        body: '{}',
      },
    ]);
    await made('POST', `${at}/store`, { name, status: 'active', pickup: { location: 'Rua das Flores, 10' } });
    const product = await made('POST', `${at}/store/products`, {
      name: 'Camiseta',
      price: '49.90',
      stock: 9,
    });
    return {
      company_uuid: company,
      integration_uuid: integration,
      key_id: String(key.data['key_id'] ?? key.data['id']),
      endpoint_uuid: endpoint,
      replay_uuid: replay,
      channel_uuid: channel,
      contact_uuid: customer.contact,
      erasure_uuid: String(erased.data['erasure_uuid']),
      conversation_uuid: customer.conversation,
      message_uuid: String(message),
      operation_uuid: operation,
      execution_uuid: execution,
      delivery_id: delivery,
      flow_uuid: await made('POST', `${at}/flows`, { name }),
      member_uuid: await made('POST', `${at}/team`, { kind: 'agent', name }),
      reply_uuid: await made('POST', `${at}/saved-replies`, { title: name, short_cut: 'prazo', text: 'Oi' }),
      category_uuid: await made('POST', `${at}/store/categories`, { name }),
      product_uuid: product,
      order_uuid: await made('POST', `${at}/store/orders`, {
        items: [{ product_uuid: product, quantity: 1 }],
        customer: { name: 'Ana', phone: '+5511987654321' },
        fulfillment: { type: 'pickup' },
        payment: { method: 'pix' },
      }),
    };
  }

  before(async () => {
    foreign = await furnished('Deles');
  });
  // The walk removes what it is about.
  beforeEach(async () => {
    own = await furnished('Nossa');
  });

  /** Of the own company's team, with access. */
  async function person(role: CallerRole): Promise<Person> {
    if (role === 'operator') return { actor: 'admin', role, company: null, member: null };
    const company = own['company_uuid']!;
    const id = `${company} ${role}`;
    let member = members.get(id);
    if (member === undefined) members.set(id, (member = (await invite(server, company, role)).member));
    return { actor: `user:${member}`, role, company, member };
  }

  async function as(role: CallerRole, method: string, path: string, body?: unknown): Promise<Outcome> {
    const { token } = await server.sessions.begin(await person(role), 'password');
    const ending = new AbortController();
    const response = await fetch(server.url + path, {
      method,
      signal: ending.signal,
      headers: {
        cookie: `${SESSION_COOKIE}=${token}`,
        'x-recado-console': '1',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { status } = response;
    const type = response.headers.get('content-type') ?? '';
    const text = type.includes('json') && !type.includes('ndjson') ? await response.text() : '';
    ending.abort();
    const { error, data } = (text === '' ? {} : JSON.parse(text)) as {
      readonly error?: { readonly code: string; readonly details: object; readonly message: string };
      readonly data?: unknown;
    };
    return { status, code: error?.code, details: { ...error?.details }, message: error?.message, data };
  }

  const pathOf = ({ path }: ContractOperation, things: Things): string =>
    path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
      const id = things[name] ?? OPERATORS_THINGS[name];
      if (id === undefined) throw new Error(`the test has no ${name}`);
      return encodeURIComponent(id);
    });
  /** A body that no operation takes: a caller with the role gets its validation error. */
  const call = (role: CallerRole, operation: ContractOperation, things: Things): Promise<Outcome> =>
    as(role, operation.method, pathOf(operation, things), takesBody(operation) ? { '': 1 } : undefined);

  for (const role of CALLERS) {
    it(`answers each of the ${OPERATIONS.length} operations to the role ${role} as the contract says`, async () => {
      const faults: string[] = [];
      for (const operation of WALK) {
        const { role: least, company } = ACCESS.get(operation.operationId)!;
        const check = (what: string, { status, code }: Outcome, right: boolean): void => {
          if (!right) faults.push(`${operation.operationId}, ${what}: ${status} ${code ?? ''}`);
        };
        if (!isAtLeast(role, least)) {
          for (const things of [own, foreign]) {
            const refused = await call(role, operation, things);
            const { required_role: required } = refused.details;
            check('refused', refused, refused.code === 'insufficient_role' && required === least);
          }
          continue;
        }
        if (role !== 'operator' && company?.from === 'path') {
          const theirs = await call(role, operation, foreign);
          check('foreign', theirs, theirs.status === 404 && theirs.code === 'not_found');
          const nobodys = await call(role, operation, { ...foreign, [company.parameter]: UNKNOWN });
          check('unknown as foreign', nobodys, isDeepStrictEqual(nobodys, theirs));
        }
        const ours = await call(role, operation, own);
        check('admitted', ours, ![401, 403, 500].includes(ours.status));
        // It is of the company, so it is found, and what else is wrong comes next.
        const found = ours.code !== 'not_found' || NOT_MADE.has(operation.operationId);
        if (company?.from === 'path') check('found', ours, found);
      }
      expect(faults).to.deep.equal([]);
    });
  }

  it('treats a part of another company as missing in the own one', async () => {
    const bodies: Readonly<Record<string, unknown>> = {
      renameTeamMember: { name: 'Rui' },
      changeSavedReply: { title: 'Prazo' },
      grantTeamAccess: { role: 'agent', email: 'rui@loja.example' },
      changeTeamRole: { role: 'agent' },
      changeStoreCategory: { name: 'Canecas' },
      changeCompanyStoreProduct: { name: 'Caneca' },
      moveCompanyOrder: { status: 'confirmado' },
    };
    const first = ({ path }: ContractOperation): string => /\{(\w+)\}/.exec(path)?.[1] ?? '';
    const parts = OPERATIONS.filter(({ path }) => (path.match(/\{/g) ?? []).length > 1).filter(
      ({ operationId }) => ACCESS.get(operationId)!.company?.from === 'path',
    );
    expect(parts.length).to.be.greaterThan(10);
    for (const operation of parts) {
      const parameter = first(operation);
      const path = pathOf(operation, { ...foreign, [parameter]: own[parameter]! });
      const answer = await as('owner', operation.method, path, bodies[operation.operationId]);
      expect([answer.status, answer.code], operation.operationId).to.deep.equal([404, 'not_found']);
    }
  });

  it('treats what a body names of another company as missing', async () => {
    const merged = await as('owner', 'POST', `/contacts/${own['contact_uuid']!}/merge`, {
      contact_uuid: foreign['contact_uuid'],
    });
    expect(merged.status).to.equal(404);
    const assigned = await as('owner', 'PUT', `/conversations/${own['conversation_uuid']!}/assignment`, {
      agent_uuid: foreign['member_uuid'],
    });
    expect(assigned.status).to.equal(404);
    const company = own['company_uuid']!;
    await made('PATCH', `/companies/${company}/privacy`, { viewers_may_reveal: true });
    for (const thing of ['contact', 'conversation', 'message', 'order']) {
      const body = { thing, reason: 'complaint' };
      const at = `/companies/${company}/reveals`;
      const theirs = await as('viewer', 'POST', at, { ...body, thing_uuid: foreign[`${thing}_uuid`] });
      expect([theirs.status, theirs.code], thing).to.deep.equal([404, 'not_found']);
      const ours = await as('viewer', 'POST', at, { ...body, thing_uuid: own[`${thing}_uuid`] });
      expect(ours.status, thing).to.equal(201);
    }
  });

  it('narrows lists without a company in their path to the own one', async () => {
    const lists = OPERATIONS.filter(({ operationId }) => ACCESS.get(operationId)!.company?.from === 'query');
    expect(lists.map(({ operationId }) => operationId)).to.include('listCompanies');
    const seen = (data: unknown): string => JSON.stringify(data);
    const theirs = Object.values(foreign);
    for (const { operationId, path } of lists) {
      const all = await as('operator', 'GET', `${path}?limit=100&company=${foreign['company_uuid']!}`);
      expect(
        theirs.some((id) => seen(all.data).includes(id)),
        `${operationId}: an operator sees the other company`,
      ).to.equal(true);
      const mine = await as('owner', 'GET', `${path}?limit=100`);
      expect(mine.data, operationId).to.have.length.greaterThan(0);
      for (const id of theirs) expect(seen(mine.data), operationId).not.to.include(id);
      const asked = await as('owner', 'GET', `${path}?company=${foreign['company_uuid']!}`);
      expect([asked.status, asked.code], operationId).to.deep.equal([404, 'not_found']);
    }
    const stream = `contact-${foreign['contact_uuid']!}`;
    const foreignStream = await as('owner', 'GET', `/events?stream=${stream}`);
    expect(foreignStream.data).to.deep.equal([]);
    const flow = await as('owner', 'GET', `/executions?flow=${foreign['flow_uuid']!}`);
    expect(flow.data).to.deep.equal([]);
    for (const filter of ['integration', 'endpoint']) {
      const id = foreign[`${filter}_uuid`]!;
      expect((await as('owner', 'GET', `/deliveries?${filter}=${id}`)).data, filter).to.deep.equal([]);
    }
  });

  it('starts with no operation that declares no role, or whose company is not known', () => {
    const operation = { operationId: 'peek', 'x-required-scope': 'admin', responses: {} };
    const contract = (path: string, more: object) => ({
      ...document,
      paths: { [path]: { get: { ...operation, ...more } } },
    });
    for (const [path, more, fault] of [
      ['/companies/{company_uuid}/peek', {}, 'x-recado-role'],
      ['/companies/{company_uuid}/peek', { 'x-recado-role': 'king' }, 'x-recado-role'],
      ['/peek', { 'x-recado-role': 'agent' }, 'whose company'],
      ['/projections/{name}', { 'x-recado-role': 'agent' }, 'whose company'],
    ] as const) {
      expect(() => accessOf(contract(path, more)), path).to.throw(fault);
    }
    expect(() => accessOf(contract('/peek', { 'x-recado-role': 'operator' }))).not.to.throw();
    const reveals = { 'x-recado-role': 'operator', 'x-recado-reveals': 'contact' };
    expect(() => accessOf(contract('/orders/{order_uuid}', reveals))).to.throw('reveals');
    expect(() => accessOf(contract('/contacts/{contact_uuid}', reveals))).not.to.throw();
  });
});
