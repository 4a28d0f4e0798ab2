/** What leaves no event of its own is recorded as asked for, before it is done; the audit shows it to whom it concerns. */
import { expect } from 'chai';
import { loadContract, operationsOf } from '../../../api/contract.js';
import { recordingOf } from '../../../api/admin/upkeep.js';
import { SYSTEM_COMPANY } from '../../../application/app.js';
import { exactLine } from '../../../application/history/exact.js';
import { masterKeyProof } from '../../../application/history/import.js';
import type { Executor } from '../../../application/execute.js';
import { recordUpkeep } from '../../../application/upkeep.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { auditKindOf } from '../../../domain/policies/audit.js';
import { upkeepStream } from '../../../domain/streams.js';
import { START, StoreUnavailable, type Position } from '../../../ports/event-store.js';
import { signInLinks } from '../../../read-models/console-sessions.js';
import { enqueueDeliveries } from '../../../workers/webhooks/enqueue.js';
import { opened } from '../../support/opened.js';
import { browser, signedIn, type Person } from './people.js';
import { ADMIN_TOKEN, newCompany, openAdmin } from './server.js';

const { document } = loadContract('admin');
const MARKED = operationsOf(document).filter(({ operationId }) => recordingOf(document).has(operationId));
const UNKNOWN = '0198a6f0-ffff-7000-8000-0000000000ff';

describe('admin: acts that leave no other event', function () {
  this.timeout(60_000);
  let failing = false;
  let now = Date.parse('2026-11-20T12:00:00.000Z');
  const server = opened(() =>
    openAdmin({
      over: (app) => ({ ...app, clock: { ...app.clock, now: () => now } }),
    }),
  );
  const failingServer = opened(() =>
    openAdmin({
      over: (app) => ({
        ...app,
        executor: app.executor.over({
          ...app.store,
          append: (stream, ...rest) =>
            failing && upkeepStream.match(stream) !== undefined
              ? Promise.reject(new StoreUnavailable('the test cut the connection'))
              : app.store.append(stream, ...rest),
        }),
      }),
    }),
  );
  let company: string;
  let endpoint: string;
  let delivery: string;
  let owner: Person;

  before(async () => {
    company = await newCompany(server);
    const at = `/companies/${company}/integrations`;
    const integration = String((await server.call('POST', at, { name: 'ERP' })).data['uuid']);
    const hook = { url: 'https://hooks.example/recado' };
    const made = await server.call('POST', `/integrations/${integration}/webhooks`, hook);
    endpoint = String(made.data['uuid']);
    delivery = server.app.newId();
    await enqueueDeliveries(server.app, [
      {
        deliveryId: delivery,
        companyUuid: company,
        integrationUuid: integration,
        endpointUuid: endpoint,
        eventId: server.app.newId(),
        eventType: 'message.received',
        body: '{}',
      },
    ]);
  });
  // Each test is a day of its own, on which the sessions of the day before have ended.
  beforeEach(async () => {
    now += 24 * 3_600_000;
    owner = await signedIn(server, company, 'owner');
  });

  /** Also of answers that are no JSON. */
  async function statusOf(method: string, path: string, body?: object): Promise<number> {
    const response = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await response.text();
    return response.status;
  }
  const recorded = async (after: Position) =>
    (await server.recordsSince(after)).filter(({ type }) => type === 'UpkeepRequested');
  const audited = async (query = '') => (await server.call('GET', `/audit?limit=100${query}`)).list;
  const operationsIn = (list: readonly Record<string, unknown>[]): readonly unknown[] =>
    list
      .filter(({ type }) => type === 'UpkeepRequested')
      .map(({ details }) => (details as { readonly operation: string }).operation);

  it('are recorded first, each of them, with what the path names and who asked, and nothing else', async () => {
    const things: Readonly<Record<string, string>> = {
      endpoint_uuid: endpoint,
      delivery_id: delivery,
      name: 'messages',
      generation: '7',
      version: '7',
      id: 'inbound:42',
    };
    const from = new Date(now - 7_200_000).toISOString();
    const bodies: Readonly<Record<string, object>> = {
      replayWebhooks: { replay_uuid: UNKNOWN },
      startWebhookReplay: { from },
      redeliverFailed: {},
      startRebuild: {},
      skipProjectionEvent: { event_id: UNKNOWN, reason: 'Maria Souza, +5511987654321' },
    };
    const person = new Set(['linkOidc', 'unlinkOidc']);
    for (const { operationId, method, path } of MARKED) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      const parameters = Object.fromEntries(names.map((name) => [name, things[name] ?? UNKNOWN]));
      const called =
        path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(parameters[name] ?? '')) +
        (operationId === 'replayWebhooks' ? `?from=${encodeURIComponent(from)}` : '');
      const mark = await server.mark();
      const answer = person.has(operationId)
        ? await browser(server, method, called, owner.page, bodies[operationId])
        : { status: await statusOf(method, called, bodies[operationId]) };
      expect(answer.status, operationId).not.to.be.oneOf([401, 403, 500]);
      const [first, ...others] = await server.recordsSince(mark);
      expect(first?.type, operationId).to.equal('UpkeepRequested');
      expect(
        others.map(({ type }) => type),
        operationId,
      ).not.to.include('UpkeepRequested');
      const { act_uuid: _act, at: _at, ...data } = first!.data;
      expect(data).to.deep.equal({ operation: operationId, parameters });
      const isTheirs = person.has(operationId) || auditKindOf('UpkeepRequested', operationId) === 'webhook';
      expect(first!.meta.company, operationId).to.equal(isTheirs ? company : SYSTEM_COMPANY);
      expect(first!.meta.actor, operationId).to.equal(
        person.has(operationId) ? `user:${owner.member}` : 'admin',
      );
    }
    expect(MARKED.length).to.be.greaterThan(20);
  });

  it('are recorded where they are refused afterwards, and lead to the request', async () => {
    const mark = await server.mark();
    const refused = await server.call('POST', '/backups', {}, undefined, { 'x-request-id': 'nightly-42' });
    expect([refused.status, refused.code]).to.deep.equal([422, 'backup_not_embedded']);
    const missing = await server.call('POST', `/webhooks/${UNKNOWN}/redeliver-failed`, {});
    expect([missing.status, missing.code]).to.deep.equal([404, 'not_found']);
    const [backup, redelivery] = await recorded(mark);
    expect(backup!.meta.correlation_id).to.equal('nightly-42');
    expect(redelivery!.data['operation']).to.equal('redeliverFailed');
    expect(redelivery!.meta.company, 'of nobody that is there').to.equal(SYSTEM_COMPANY);
  });

  it('are not recorded where the caller may not, has not proved who he is, or asks for nonsense', async () => {
    now += 660_000;
    const mark = await server.mark();
    const refused = [
      await browser(server, 'POST', '/session/links', owner.page),
      await browser(server, 'DELETE', '/session/account/oidc', owner.page),
      await server.call('POST', '/projections/rebuilds', { projections: 'all' }),
      await server.call('POST', '/session/links', undefined, 'another token'),
      await browser(server, 'POST', `/webhooks/${UNKNOWN}/redeliver-failed`, owner.page, {}),
    ];
    expect(refused.map(({ code }) => code)).to.deep.equal([
      'insufficient_role',
      'password_needed',
      'validation_failed',
      'unauthenticated',
      'not_found',
    ]);
    expect(await server.recordsSince(mark)).to.deep.equal([]);
  });

  it('say whether an export had personal data in the clear, or was exact, and not of whom it was', async () => {
    const mark = await server.mark();
    await statusOf('GET', '/events/export?include_personal=true&types=OrderPlaced');
    await statusOf('GET', `/events/export?exact=true&include_personal=false`);
    await statusOf('GET', `/events/export?company=${company}`);
    const said = (await recorded(mark)).map(({ data }) => data['parameters']);
    expect(said).to.deep.equal([{ include_personal: 'true' }, { exact: 'true' }, {}]);
  });

  it('are refused, and not done, where they can not be recorded', async () => {
    await newCompany(failingServer);
    const links = async () => {
      const query = { index: 'newest', equals: [], order: 'asc', limit: 100 } as const;
      return (await failingServer.app.readModels.find(signInLinks.name, query)).documents.length;
    };
    failing = true;
    try {
      for (const [method, path] of [
        ['POST', '/session/links'],
        ['GET', '/events/export'],
        ['GET', '/events/export/keys'],
      ] as const) {
        const answer = await failingServer.call(method, path);
        expect([answer.status, answer.code], path).to.deep.equal([503, 'unavailable']);
      }
      expect(await links()).to.equal(0);
    } finally {
      failing = false;
    }
    expect((await failingServer.call('POST', '/session/links')).status).to.equal(201);
    expect(await links()).to.equal(1);
  });

  it('are refused as unavailable where others write to the day all the time', async () => {
    const { clock, newId, executor } = server.app;
    const beaten: Executor = {
      ...executor,
      execute: () => Promise.reject(new Refusal('concurrent_update', 'Others were faster.')),
    };
    const request = { operation: 'createBackup', parameters: {}, inPieces: false };
    const who = { company: SYSTEM_COMPANY, actor: 'admin', correlationId: 'nightly' };
    const failed: unknown = await recordUpkeep(
      { clock, newId, executor: beaten },
      { ...request, ...who },
    ).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(StoreUnavailable);
  });

  it('of many calls are recorded once in a quarter of an hour, by each caller and for each thing', async () => {
    const mark = await server.mark();
    const replay = (page?: Person['page']) => {
      const path = `/webhooks/${endpoint}/replay?from=2026-11-20`;
      const body = { replay_uuid: UNKNOWN };
      return page ? browser(server, 'POST', path, page, body) : server.call('POST', path, body);
    };
    for (const answer of await Promise.all([replay(), replay(), replay()]))
      expect(answer.status).to.equal(200);
    expect((await recorded(mark)).length).to.equal(1);
    await server.call('GET', '/events/export/keys');
    expect((await replay()).status).to.equal(200);
    expect((await recorded(mark)).length).to.equal(2);
    expect((await replay(owner.page)).status).to.equal(200);
    expect((await recorded(mark)).length, 'another person').to.equal(3);
    now += 900_000;
    await replay();
    expect((await recorded(mark)).length, 'a quarter later').to.equal(4);
  });

  it('of one day and one company are in one stream, and each is found once', async () => {
    const mark = await server.mark();
    await Promise.all(Array.from({ length: 20 }, () => server.call('POST', '/session/links')));
    await server.call('POST', `/webhooks/${endpoint}/redeliver-failed`, {});
    const records = await recorded(mark);
    expect(records).to.have.length(21);
    expect(new Set(records.map(({ stream }) => stream)).size).to.equal(2);
    now += 24 * 3_600_000;
    await server.call('POST', '/session/links');
    const [next] = (await recorded(mark)).slice(-1);
    expect(next!.revision).to.equal(0);
    expect(records.map(({ stream }) => stream)).not.to.include(next!.stream);
  });

  it('are shown to owners where they are about their company, and never what is about the server', async () => {
    const other = await newCompany(server, 'Outra');
    const stranger = await signedIn(server, other, 'owner');
    for (const [method, path, body] of [
      ['POST', `/webhooks/${endpoint}/replay?from=2026-11-20`, { replay_uuid: UNKNOWN }],
      ['POST', `/webhooks/${endpoint}/replays`, { from: new Date(now - 7_200_000).toISOString() }],
      ['POST', `/webhooks/${endpoint}/replays/${UNKNOWN}/cancel`],
      ['POST', `/webhooks/${endpoint}/redeliver-failed`, {}],
      ['POST', `/deliveries/${delivery}/redeliver`],
      ['POST', '/session/links'],
      ['DELETE', `/sessions/${UNKNOWN}`],
      ['GET', '/events/export'],
      ['GET', `/events/export?company=${company}`],
      ['GET', '/events/export/keys'],
      ['POST', '/projections/rebuilds', {}],
      ['DELETE', '/projections/messages/versions/7'],
      ['POST', '/held-work/release'],
      ['POST', '/backups', {}],
    ] as const) {
      expect(await statusOf(method, path, body), path).to.be.lessThan(500);
    }
    const seen = async (page: Person['page']) =>
      operationsIn((await browser(server, 'GET', '/audit?limit=100', page)).list);
    const mine = new Set(await seen(owner.page));
    expect([...mine].sort()).to.deep.equal([
      'cancelWebhookReplay',
      'linkOidc',
      'redeliver',
      'redeliverFailed',
      'replayWebhooks',
      'startWebhookReplay',
      'unlinkOidc',
    ]);
    expect(await seen(stranger.page)).to.deep.equal([]);
    const servers = new Set(operationsIn(await audited()));
    expect([...servers]).to.include.members([
      'createBackup',
      'makeSignInLink',
      'exportEvents',
      'listSealedKeys',
    ]);
    expect([...servers].filter((one) => mine.has(one) && one !== 'redeliverFailed')).to.deep.equal([]);
    expect(operationsIn(await audited(`&company=${company}`))).to.include.members([...mine]);
  });

  it('are found by their kind, and an entry names the operation and what it was about', async () => {
    await server.call('POST', '/projections/messages/generations/7/flip');
    await server.call('GET', '/events/export/keys');
    await server.call('POST', '/session/links');
    const [flip] = await audited('&kind=server');
    expect(flip).to.deep.include({
      type: 'UpkeepRequested',
      kind: 'server',
      company_uuid: null,
      actor: { kind: 'admin', name: null },
      details: { operation: 'flipProjection', name: 'messages', generation: '7' },
    });
    expect(operationsIn(await audited('&kind=key'))[0]).to.equal('listSealedKeys');
    expect(operationsIn(await audited('&kind=sign_in'))[0]).to.equal('makeSignInLink');
    expect((await audited('&kind=server&actor=admin'))[0]).to.deep.equal(flip);
    const at = String(flip!['position']);
    const [event] = (await server.call('GET', `/events?limit=1&order=desc&to=${at}`)).list;
    expect(event).to.deep.include({ type: 'UpkeepRequested', stream: flip!['stream'] });
  });
});

describe('admin: acts while a history is imported', function () {
  this.timeout(60_000);
  const source = opened(openAdmin);
  const target = opened(() => openAdmin({ importing: true }));
  const link = async (): Promise<void> => {
    expect((await target.call('POST', '/session/links')).status).to.equal(201);
  };
  const types = async () => (await target.recordsSince(START)).map(({ type }) => type);

  it('leave an empty history empty, and the imported one as it came; afterwards they are recorded', async () => {
    await newCompany(source, 'Um');
    await newCompany(source, 'Dois');
    const { records } = await source.historyTexts.read({ after: START, limit: 100 });
    const lines = records.map((record) => exactLine(record));
    await link();
    expect(await target.mark()).to.equal(START);
    const begun = await target.call('POST', '/events/import', {
      sha256: 'a'.repeat(64),
      events: lines.length,
      keys: 0,
      last: records.at(-1)!.position,
      master_key_proof: masterKeyProof(target.app),
    });
    expect(begun.status).to.equal(200);
    await link();
    for (const line of lines) {
      expect((await target.call('POST', '/events/import/events', { lines: [line] })).status).to.equal(200);
      await link();
    }
    expect((await target.call('POST', '/events/import/complete')).status).to.equal(200);
    const imported = records.map(({ type }) => type);
    expect(await types()).to.deep.equal([...imported, 'HistoryRestored']);
    await link();
    expect(await types()).to.deep.equal([...imported, 'HistoryRestored', 'UpkeepRequested']);
  });
});
