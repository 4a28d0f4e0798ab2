import { expect } from 'chai';
import { keepWebhook } from '../../../application/intake.js';
import { linkExternalId } from '../../../application/people/resolve-contact.js';
import { intakeAggregate } from '../../../domain/intake/decide.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { intakeStream } from '../../../domain/streams.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { companies } from '../../../projections/models/companies.js';
import { checkpointName } from '../../../projections/projection.js';
import { enqueueDeliveries } from '../../../workers/webhooks/enqueue.js';
import { SANDBOX_NUMBER } from '../../application/provisioning/workspace.js';
import { openAdmin, newCompany, newChannel } from './server.js';
import { opened } from '../../support/opened.js';
import { directCommand } from '../../../application/app.js';
import { addCustomer, addInboundMessage } from '../../support/api/world.js';
import { acceptText } from '../../support/sends/attempt.js';

const PHONE = '+5511987654321';
const TEXT = 'segredo da Maria';

describe('admin API: what happened and what waits', () => {
  let company: string;
  let integration: string;
  let channel: string;
  let contact: string;
  let subject: string;
  let conversation: string;
  let operations: string[];

  const context = (of: string | null) => directCommand(server.app, { company, actor: 'key:abc' }, of);

  const server = opened(openAdmin);
  before(async () => {
    const { app } = server;
    company = await newCompany(server);
    const path = `/companies/${company}`;
    integration = (await server.call('POST', `${path}/integrations`, { name: 'ERP' })).data['uuid'] as string;
    channel = await newChannel(server, company);
    const customer = await addCustomer(app, { company, channel }, { phone: PHONE, name: 'Maria Antônia' });
    await linkExternalId(app, integration, 'client-77', customer.resolved, context(null));
    ({ contact, subject, conversation } = customer);
    await addInboundMessage(app, { company, channel }, customer, TEXT);
    operations = [];
    for (let n = 0; n < 3; n += 1) operations.push(await accept());
    await app.executor.execute(
      operationAggregate,
      operations[1]!,
      { type: 'FailSend', code: 'recipient_unreachable', message: 'Nobody there.', details: {} },
      context(subject),
    );
  });

  const accept = () =>
    acceptText(server.app, { company, integration, channel }, { subject, phone: PHONE }, TEXT);

  it('lists operations newest first, by company and status, page by page', async () => {
    const uuids = async (query: string): Promise<unknown[]> =>
      (await server.call('GET', `/operations${query}`)).list.map(({ uuid }) => uuid);
    const newest = [...operations].reverse();
    for (const query of ['', `?company=${company}`]) {
      // The three may share a millisecond, where ids decide the order, so only the members are checked.
      expect(await uuids(query)).to.have.members(newest);
    }
    expect(await uuids('?status=failed')).to.deep.equal([operations[1]]);
    expect(await uuids(`?company=${company.toUpperCase()}&status=failed`)).to.deep.equal([operations[1]]);
    expect(await uuids(`?company=${integration}`)).to.deep.equal([]);
    const paged = (await server.pages('/operations?limit=1')).flat().map(({ uuid }) => uuid);
    expect(paged).to.deep.equal(await uuids(''));
  });

  it('tells the story of an operation without what it said and to whom', async () => {
    const { data, body } = await server.call('GET', `/operations/${operations[1]!}`);
    const events = data['events'] as { type: string; data: Record<string, unknown> }[];
    expect(events.map(({ type }) => type)).to.deep.equal(['SendAccepted', 'SendFailed']);
    expect(events[0]!.data).to.deep.include({ phone: '***', content: '***', message_type: 'text' });
    expect(events[1]!.data['code']).to.equal('recipient_unreachable');
    expect(JSON.stringify(body)).to.not.include(PHONE.slice(1)).and.to.not.include(TEXT);
  });

  it('shows the history from any position, filtered, personal data and secrets masked', async () => {
    const all = await server.call('GET', '/events?limit=100');
    const types = all.list.map(({ type }) => type);
    expect(types.slice(0, 2)).to.deep.equal(['CompanyRegistered', 'IntegrationRegistered']);
    const text = JSON.stringify(all.body);
    for (const secret of [PHONE.slice(1), TEXT, 'Maria', 'client-77', 'v1.', '"box"']) {
      expect(text).to.not.include(secret);
    }
    expect(all.list.find(({ type }) => type === 'SendAccepted')!['actor']).to.deep.equal({
      kind: 'key',
      id: 'abc',
    });
    const third = all.list[2]!['position'] as string;
    const rest = await server.call('GET', `/events?limit=100&after=${third}`);
    expect(rest.list.map(({ id }) => id)).to.deep.equal(all.list.slice(3).map(({ id }) => id));
    const some = await server.call('GET', `/events?types=SendFailed,SendAccepted&company=${company}`);
    expect(some.list.map(({ type }) => type)).to.deep.equal([
      'SendAccepted',
      'SendAccepted',
      'SendAccepted',
      'SendFailed',
    ]);
    const first = await server.call('GET', '/events?types=SendAccepted&limit=2');
    const second = await server.call('GET', `/events?types=SendAccepted&limit=2&after=${first.next}`);
    expect(second.list).to.have.length(1);
    expect(second.body['meta']).to.deep.include({ next_cursor: null });
    const stream = await server.call('GET', `/events?stream=contact-${contact}&after=${third}`);
    expect(stream.list.map(({ type }) => type)).to.deep.equal(['ContactCreated', 'ContactLinked']);
    for (const query of ['after=nonsense', `stream=contact-${contact}&after=nonsense`]) {
      const refused = await server.call('GET', `/events?${query}`);
      expect([refused.status, refused.code]).to.deep.equal([422, 'invalid_cursor']);
    }
  });

  it('pages through sealed keys, and takes no other cursor than its own', async () => {
    const { list: all } = await server.call('GET', '/events/export/keys');
    const first = await server.call('GET', '/events/export/keys?limit=1');
    const second = await server.call('GET', `/events/export/keys?limit=1&after=${first.next}`);
    expect([...first.list, ...second.list]).to.deep.equal(all.slice(0, 2));
    for (const after of ['nonsense', String(all[0]!['key_id'])]) {
      const refused = await server.call('GET', `/events/export/keys?after=${encodeURIComponent(after)}`);
      expect([refused.status, refused.code]).to.deep.equal([422, 'invalid_cursor']);
    }
  });

  it('catalogues event types with their personal fields', async () => {
    const { list } = await server.call('GET', '/events/types');
    expect(list.find(({ type }) => type === 'ContactCreated')).to.deep.include({
      version: 1,
      aggregate: 'contact',
      personal_fields: ['/phone', '/phone_key', '/wa_user_id', '/name'],
    });
  });

  it('finds contacts by name without accents and by phone, and shows one', async () => {
    const found = async (query: string): Promise<unknown[]> =>
      (
        await server.call('GET', `/companies/${company}/contacts?query=${encodeURIComponent(query)}`)
      ).list.map(({ uuid }) => uuid);
    for (const query of ['antonia', 'MARIA', '98765-4321'])
      expect(await found(query)).to.deep.equal([contact]);
    expect(await found('joana')).to.deep.equal([]);
    const { data } = await server.call('GET', `/contacts/${contact}`);
    expect(data).to.deep.include({ phone: PHONE, external_id: 'client-77' });
  });

  it('resolves, reopens and reads a conversation, each once', async () => {
    const mark = await server.mark();
    const listed = await server.call('GET', `/companies/${company}/conversations?status=open`);
    expect(listed.list[0]).to.deep.include({ uuid: conversation, unread_count: 1 });
    const act = (verb: string) => server.call('POST', `/conversations/${conversation}/${verb}`);
    expect((await act('read')).data['unread_count']).to.equal(0);
    expect((await act('resolve')).data['status']).to.equal('resolved');
    expect((await act('reopen')).data['status']).to.equal('open');
    for (const verb of ['read', 'reopen']) expect((await act(verb)).status).to.equal(200);
    expect((await server.eventsSince(mark)).map(({ type }) => type)).to.deep.equal([
      'ConversationRead',
      'ConversationResolved',
      'ConversationReopened',
    ]);
  });

  it('lists deliveries by each filter and sends one again, unless its person was erased', async () => {
    const { app } = server;
    const added = await server.call('POST', `/integrations/${integration}/webhooks`, {
      url: 'https://shop.example.com/hook',
    });
    const endpoint = String(added.data['uuid']);
    const [message] = (await server.call('GET', '/events?types=MessageReceived')).list;
    const { webhookEventId } = await import('../../../application/provisioning/webhooks.js');
    const deliveryId = app.newId();
    const facts = { companyUuid: company, integrationUuid: integration, endpointUuid: endpoint };
    await enqueueDeliveries(app, [
      {
        ...facts,
        deliveryId,
        eventId: webhookEventId(message!['id'] as string),
        eventType: 'message.received',
        body: `{"text":"${TEXT}"}`,
      },
    ]);
    for (const query of ['', `?integration=${integration}`, `?endpoint=${endpoint}`, '?status=pending']) {
      const { list } = await server.call('GET', `/deliveries${query}`);
      expect(
        list.map(({ id }) => id),
        query,
      ).to.deep.equal([deliveryId]);
    }
    for (const query of [
      `?integration=${company}`,
      `?endpoint=${company}`,
      '?status=failed',
      '?status=odd',
    ]) {
      expect((await server.call('GET', `/deliveries${query}`)).list, query).to.deep.equal([]);
    }
    const shown = await server.call('GET', `/deliveries/${deliveryId}`);
    expect(shown.data).to.deep.include({ status: 'pending', attempt_count: 0, attempts: [] });
    expect(JSON.stringify(shown.body)).to.not.include(TEXT);
    const open = await server.call('GET', `/deliveries/${deliveryId}?body=true`);
    expect(open.data['body']).to.equal(`{"text":"${TEXT}"}`);
    const made = String(open.data['created_at']);
    for (const [more, found] of [
      ['event_type=message.received', 1],
      ['event_type=order.created', 0],
      [`created_from=${made}`, 1],
      [`created_before=${made}`, 0],
    ] as const) {
      const query = `?integration=${integration}&endpoint=${endpoint}&${more}`;
      expect((await server.call('GET', `/deliveries${query}`)).list, more).to.have.length(found);
    }
    const reversed = `created_from=${made}&created_before=2000-01-01T00:00:00Z`;
    const nothing = await server.call('GET', `/deliveries?integration=${integration}&${reversed}`);
    expect(nothing.status).to.equal(422);
    const nobodys = await server.call('GET', '/deliveries?event_type=message.received');
    expect([nobodys.status, nobodys.code]).to.deep.equal([422, 'validation_failed']);
    const again = await server.call('POST', `/deliveries/${deliveryId}/redeliver`);
    expect(again.status).to.equal(202);
    expect(again.data['delivery_id']).to.not.equal(deliveryId);
    expect((await server.call('GET', '/deliveries')).list).to.have.length(2);

    const erased = await server.call('POST', `/contacts/${contact}/erase`);
    expect(erased.status).to.equal(200);
    expect(erased.data).to.deep.include({ contact_uuid: contact, deliveries: 2 });
    expect((await server.call('GET', `/contacts/${contact}`)).data).to.deep.include({
      phone: null,
      name: null,
    });
    const refused = await server.call('POST', `/deliveries/${deliveryId}/redeliver`);
    expect([refused.status, refused.code]).to.deep.equal([422, 'delivery_erased']);
  });

  it('shows what could not be understood, with the bytes it came in', async () => {
    const { app } = server;
    const mark = await server.mark();
    await keepWebhook(app, Buffer.from('{"odd":true}'), app.newId());
    const [received] = await server.recordsSince(mark);
    const uuid = intakeStream.match(received!.stream)!;
    await app.executor.execute(
      intakeAggregate,
      uuid,
      { type: 'ParkUpdate', index: 0, kind: 'other', reason: 'unknown field' },
      context(null),
    );
    const { list } = await server.call('GET', '/intake/parked');
    expect(list).to.have.length(1);
    expect(list[0]).to.deep.include({ reason: 'other: unknown field', bytes: 12 });
    const { data } = await server.call('GET', `/intake/parked/${list[0]!['id'] as string}`);
    expect(data['body']).to.equal('{"odd":true}');
  });

  it('reports projections in step and what the process is', async () => {
    const { list } = await server.call('GET', '/projections');
    expect(list.map(({ status, lag_events }) => [status, lag_events])).to.deep.equal(
      list.map(() => ['live', 0]),
    );
    const { data } = await server.call('GET', '/status');
    const head = await server.mark();
    expect(data['positions']).to.deep.include({ history: head, [checkpointName(companies)]: head });
    expect(data['counts']).to.deep.include({ operations_queued: 2, operations_waiting: 0 });
    expect(data['counts']).to.deep.include({ lag_sending: 3 });
    expect(data['parts']).to.deep.equal({ event_store: 'ok', read_models: 'ok', topics: 'ok' });
    expect(data['lags']).to.deep.equal([{ topic: 'sends', group: 'sending', messages: 3 }]);
  });

  it('reports what it can while a server is out, and which one that is', async () => {
    const away = async (): Promise<never> => {
      throw new StoreUnavailable('It does not answer.');
    };
    let out = false;
    const unlessOut = <T>(ask: () => Promise<T>): Promise<T> => (out ? away() : ask());
    const partial = await openAdmin({
      facts: { workerLags: away, lags: away },
      over: ({ store, readModels, leases, ...rest }) => ({
        ...rest,
        store: { ...store, head: () => unlessOut(() => store.head()) },
        readModels: {
          ...readModels,
          count: (...asked) => unlessOut(() => readModels.count(...asked)),
          checkpoint: (projection) => unlessOut(() => readModels.checkpoint(projection)),
        },
        leases: { ...leases, holders: () => unlessOut(() => leases.holders()) },
      }),
    });
    try {
      const topics = (await partial.call('GET', '/status')).data;
      expect(topics['parts']).to.deep.equal({
        event_store: 'ok',
        read_models: 'ok',
        topics: 'It does not answer.',
      });
      expect([topics['lags'], topics['leases']]).to.deep.equal([null, []]);
      expect(topics['counts']).to.deep.include({ operations_queued: 0, deliveries_failed: 0 });

      out = true;
      const { status, data } = await partial.call('GET', '/status');
      expect(status).to.equal(200);
      expect(new Set(Object.values(data['parts'] as object))).to.deep.equal(new Set(['It does not answer.']));
      expect([data['lags'], data['leases']]).to.deep.equal([null, null]);
      expect(data['positions']).to.deep.include({ history: null, [checkpointName(companies)]: null });
      expect(data['counts']).to.deep.include({ operations_queued: null, deliveries_failed: null });
    } finally {
      await partial.close();
    }
  });

  it('does not wait for a server that is known to be out', async () => {
    let asked = 0;
    const hangs = () => {
      asked += 1;
      return new Promise<never>(() => undefined);
    };
    const parts = { event_store: 'ok', read_models: 'ok', topics: 'Kafka does not answer.' };
    const partial = await openAdmin({ facts: { parts, workerLags: hangs, lags: hangs } });
    try {
      const { data } = await partial.call('GET', '/status');
      expect(data['lags']).to.equal(null);
      expect(data['parts']).to.deep.equal(parts);
      expect(asked).to.equal(0);
    } finally {
      await partial.close();
    }
  });

  it('says who does what only one process may do, and how many channels each paces', async () => {
    const names = ['relay@1', 'send:one', 'send:two'];
    const leases = await Promise.all(names.map((name) => server.app.leases.acquire(name)));
    const { data } = await server.call('GET', '/status');
    const holder = 'this process';
    expect(data['leases']).to.deep.equal([
      { name: 'relay@1', holder, count: 1 },
      { name: 'send', holder, count: 2 },
    ]);
    await Promise.all(leases.map((lease) => lease!.release()));
  });

  it('plays a reply in the sandbox, where there is one', async () => {
    const info = await server.call('GET', '/sandbox/info');
    expect(info.data).to.deep.include({ enabled: true, api_url: server.sandbox.url });
    expect(info.data['channels']).to.deep.equal([
      {
        channel_uuid: channel,
        phone_number_id: SANDBOX_NUMBER.phoneNumberId,
        phone_number: '+55 11 4002-8922',
      },
    ]);
    const played = await server.call('POST', '/sandbox/reply', { from: PHONE, text: 'Oi' });
    expect(played.status).to.equal(202);
    expect(played.data['channel_uuid']).to.equal(channel);
    const wrong = await server.call('POST', '/sandbox/reply', { from: '123', text: 'Oi' });
    expect([wrong.status, wrong.code]).to.deep.equal([422, 'validation_failed']);
    const unknown = { from: PHONE, text: 'Oi', channel_uuid: company };
    expect((await server.call('POST', '/sandbox/reply', unknown)).status).to.equal(404);

    const without = await openAdmin({ sandbox: 'off' });
    try {
      expect((await without.call('GET', '/sandbox/info')).data['enabled']).to.equal(false);
      const off = await without.call('POST', '/sandbox/reply', { from: PHONE, text: 'Oi' });
      expect([off.status, off.code]).to.deep.equal([422, 'sandbox_disabled']);
    } finally {
      await without.close();
    }
  });
});
