/** Endpoints, deliveries and the secret of one's own integration. */
import { expect } from 'chai';
import { addInboundMessage, addCustomer, addIntegration, issueKey, makeWorld } from '../support/api/world.js';
import { webhookEventId } from '../../application/provisioning/webhooks.js';
import { messageStream } from '../../domain/streams.js';
import { deliveries } from '../../read-models/deliveries.js';
import { enqueueDeliveries } from '../../workers/webhooks/enqueue.js';
import { ask, dataOf, pagesOf, type Ask } from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import { expectInvalid, expectRefused } from '../support/api/refused.js';
import { opened } from '../support/opened.js';
import { recordsSince } from '../support/records.js';

type Row = Readonly<Record<string, unknown>>;
const UNKNOWN = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c9999';
const URL = 'https://erp.example.com/hook';

describe('webhooks of one’s own', () => {
  const api = opened(() => makeApi());
  const world = opened(() => makeWorld(api.app));
  const other = opened(() => makeWorld(api.app, 'Loja Alheia'));
  const sibling = opened(() => addIntegration(api.app, world));

  const call = (method: string, path: string, options: Ask = {}) =>
    ask(api, method, path, { key: world.key, ...options });
  const create = async (json: object = { url: URL }): Promise<string> =>
    String(dataOf(await call('POST', '/webhooks', { json }), 201)['uuid']);

  describe('endpoints', () => {
    it('are created, read, changed, paused and deleted, each recorded with the key', async () => {
      const before = await api.app.store.head();
      const made = await call('POST', '/webhooks', { json: { url: URL, event_types: ['message.received'] } });
      const data = dataOf(made, 201);
      const uuid = String(data['uuid']);
      expect(data).to.deep.include({
        integration_uuid: world.integration,
        url: URL,
        event_types: ['message.received'],
        enabled: true,
        changed_by: `key:${world.keyId}`,
      });
      expect(made.headers.location).to.equal(`/api/v1/webhooks/${uuid}`);
      expect(dataOf(await call('GET', `/webhooks/${uuid}`))).to.deep.equal(data);

      const paused = await call('PATCH', `/webhooks/${uuid}`, {
        json: { enabled: false, event_types: null },
      });
      expect(dataOf(paused)).to.deep.include({ url: URL, enabled: false, event_types: null });
      expect((await call('DELETE', `/webhooks/${uuid}`)).status).to.equal(204);
      await expectRefused(api, ['DELETE', `/webhooks/${uuid}`, { key: world.key }], 404, 'not_found');

      const records = await recordsSince(api.app.store, before);
      expect(records.map(({ type, meta }) => [type, meta.actor])).to.deep.equal([
        ['WebhookEndpointAdded', `key:${world.keyId}`],
        ['WebhookEndpointChanged', `key:${world.keyId}`],
        ['WebhookEndpointRemoved', `key:${world.keyId}`],
      ]);
      const told = api.log.filter(({ fields }) => fields['endpoint_uuid'] === uuid);
      expect(told.map(({ fields }) => fields['change'])).to.deep.equal(['created', 'changed', 'deleted']);
    });

    it('are created once under an Idempotency-Key', async () => {
      const headers = { 'idempotency-key': 'endpoint-1' };
      const first = await call('POST', '/webhooks', { json: { url: URL }, headers });
      const uuid = String(dataOf(first, 201)['uuid']);
      const again = await call('POST', '/webhooks', { json: { url: URL }, headers });
      expect(again.headers['idempotent-replayed']).to.equal('true');
      expect(dataOf(again, 201)).to.deep.equal(first.body.data);
      const refused = { key: world.key, json: { url: `${URL}2` }, headers };
      await expectRefused(api, ['POST', '/webhooks', refused], 409, 'idempotency_key_reused');
      // Also after it was deleted: a late retry must not create it again.
      await call('DELETE', `/webhooks/${uuid}`);
      const late = await call('POST', '/webhooks', { json: { url: URL }, headers });
      expect(dataOf(late, 201)['uuid']).to.equal(uuid);
      await expectRefused(api, ['GET', `/webhooks/${uuid}`, { key: world.key }], 404, 'not_found');
    });

    it('are those of the key’s integration: others answer 404, and are not listed', async () => {
      const uuid = await create();
      for (const key of [other.key, sibling.key]) {
        for (const [method, path, json] of [
          ['GET', '', undefined],
          ['PATCH', '', { enabled: false }],
          ['DELETE', '', undefined],
          ['POST', '/test', undefined],
        ] as const) {
          const options = { key, ...(json ? { json } : {}) };
          await expectRefused(api, [method, `/webhooks/${uuid}${path}`, options], 404, 'not_found');
        }
        expect(dataOf<Row[]>(await ask(api, 'GET', '/webhooks', { key }))).to.deep.equal([]);
      }
      const listed = dataOf<Row[]>(await call('GET', '/webhooks'));
      expect(listed.map((endpoint) => endpoint['uuid'])).to.include(uuid);
    });

    it('need their scopes', async () => {
      const { apiKey: reader } = await issueKey(api.app, world.integration, ['webhooks:read']);
      const { apiKey: nobody } = await issueKey(api.app, world.integration, ['store:read']);
      expect((await ask(api, 'GET', '/webhooks', { key: reader })).status).to.equal(200);
      for (const [key, method, path] of [
        [nobody, 'GET', '/webhooks'],
        [nobody, 'GET', '/deliveries'],
        [reader, 'POST', '/webhooks'],
        [reader, 'POST', '/webhooks/secret/rotate'],
        [reader, 'DELETE', `/webhooks/${UNKNOWN}`],
      ] as const) {
        await expectRefused(api, [method, path, { key }], 403, 'insufficient_scope');
      }
    });

    it('refuse bad input by its field', async () => {
      const post = (json: unknown) => ['POST', '/webhooks', { key: world.key, json }] as const;
      await expectInvalid(api, post({}), ['url', 'required']);
      await expectInvalid(api, post({ url: URL, event_types: ['order.paid'] }), ['event_types[0]', 'enum']);
      await expectInvalid(api, post({ url: URL, secret: 'x' }), ['secret', 'unknown_field']);
      const said = async (json: object): Promise<string> => {
        const [method, path] =
          'url' in json ? ['POST', '/webhooks'] : ['PATCH', `/webhooks/${await create()}`];
        const { body } = await expectRefused(
          api,
          [method, path, { key: world.key, json }],
          422,
          'validation_failed',
        );
        return body.error!.message;
      };
      expect(await said({})).to.include('body must have at least 1 field.');
      expect(await said({ url: URL, event_types: [] })).to.include('event_types must not be empty.');
      expect(await said({ url: URL, event_types: ['order.created', 'order.created'] })).to.include(
        'event_types must not name the same value twice.',
      );
    });

    it('are 20 at most', async () => {
      const mine = await makeWorld(api.app, 'Loja Cheia');
      const options = { key: mine.key, json: { url: URL } };
      for (let n = 0; n < 20; n += 1)
        expect((await ask(api, 'POST', '/webhooks', options)).status).to.equal(201);
      await expectRefused(api, ['POST', '/webhooks', options], 422, 'webhook_limit_reached');
    });

    it('get a test event, unless they are paused', async () => {
      const uuid = await create({ url: URL, event_types: ['order.created'] });
      const answer = await call('POST', `/webhooks/${uuid}/test`);
      const [record] = (await recordsSince(api.app.store)).filter(
        ({ type }) => type === 'WebhookTestRequested',
      );
      expect(dataOf(answer, 202)).to.deep.equal({ event_id: webhookEventId(record!.eventId) });
      await call('PATCH', `/webhooks/${uuid}`, { json: { enabled: false } });
      await expectRefused(
        api,
        ['POST', `/webhooks/${uuid}/test`, { key: world.key }],
        422,
        'webhook_disabled',
      );
    });
  });

  it('rotates the secret of the integration, shows it once, and keeps the previous one for a day', async () => {
    const answer = await call('POST', '/webhooks/secret/rotate');
    const { webhook_secret: secret, previous_expires_at: until } = dataOf(answer);
    expect(secret).to.match(/^whsec_/);
    expect(until).to.be.a('string');
    const now = await call('POST', '/webhooks/secret/rotate', { json: { grace_seconds: 0 } });
    expect(dataOf(now)['previous_expires_at']).to.equal(null);
    expect(JSON.stringify(api.log)).to.not.include(String(secret));
  });

  describe('deliveries', () => {
    let endpoint: string;
    let quiet: string;
    let message: string;
    const made: string[] = [];
    // The list is sorted by time: no two deliveries are made in one millisecond.
    let at = Date.now();
    const clock = { now: () => (at += 1) };

    /** A delivery of an event, as the notifications worker makes it. */
    async function deliver(endpointUuid: string, eventId: string, eventType = 'message.received') {
      const deliveryId = api.app.newId();
      const owner = { companyUuid: world.company, integrationUuid: world.integration };
      const body = JSON.stringify({ id: eventId, type: eventType });
      const deps = { ...api.app, clock: { ...api.app.clock, ...clock } };
      await enqueueDeliveries(deps, [{ deliveryId, ...owner, endpointUuid, eventId, eventType, body }]);
      made.push(deliveryId);
      return deliveryId;
    }

    const ids = async (query: string, key = world.key): Promise<readonly unknown[]> => {
      const rows = await pagesOf(async (after) => {
        const { body } = await ask(api, 'GET', `/deliveries?limit=2${query}${after}`, { key });
        return { data: body.data as Row[], next: body.meta!.next_cursor };
      });
      return rows.flat().map(({ id }) => id);
    };

    before(async () => {
      endpoint = await create();
      quiet = await create();
      const customer = await addCustomer(api.app, world, { phone: '+5511987654321' });
      message = await addInboundMessage(api.app, world, customer, 'Oi');
      const [received] = await api.app.store.read(messageStream.toName(message));
      await deliver(endpoint, webhookEventId(received!.eventId));
      for (let n = 0; n < 4; n += 1) await deliver(endpoint, api.app.newId(), 'order.created');
      await deliver(quiet, api.app.newId(), 'order.created');
    });

    it('are listed newest first, page by page, and filtered by what is indexed', async () => {
      const newest = [...made].reverse();
      expect(await ids('')).to.deep.equal(newest);
      expect(await ids(`&endpoint_uuid=${quiet}`)).to.deep.equal([newest[0]]);
      expect(await ids(`&endpoint_uuid=${endpoint.toUpperCase()}&status=pending`)).to.deep.equal(
        newest.slice(1),
      );
      expect(await ids('&event_type=message.received')).to.deep.equal([made[0]]);
      expect(await ids(`&endpoint_uuid=${endpoint}&event_type=order.created`)).to.deep.equal(
        newest.slice(1, -1),
      );
      expect(await ids('&status=failed')).to.deep.equal([]);
      expect(await ids(`&message_uuid=${message}`)).to.deep.equal([made[0]]);
      expect(await ids(`&message_uuid=${UNKNOWN}`)).to.deep.equal([]);
      const at = (await api.app.readModels.get(deliveries.name, made[3]!))!.doc.created_at;
      const from = encodeURIComponent(at);
      const times = await Promise.all(
        made.map(async (id) => (await api.app.readModels.get(deliveries.name, id))!.doc.created_at),
      );
      expect(await ids(`&created_from=${from}`)).to.have.members(made.filter((_id, n) => times[n]! >= at));
      expect(await ids(`&created_before=${from}`)).to.have.members(made.filter((_id, n) => times[n]! < at));
    });

    it('take a time with the zone of the caller, whose + need not be encoded', async () => {
      const day = '2020-01-01T00:00:00';
      expect(await ids(`&created_from=${day}+03:00`)).to.have.members(made);
      expect(await ids(`&created_from=${day}-03:00`)).to.have.members(made);
      expect(await ids(`&created_before=${day}%2B03:00`)).to.deep.equal([]);
    });

    it('are those of the key’s integration', async () => {
      for (const key of [other.key, sibling.key]) {
        expect(await ids('', key)).to.deep.equal([]);
        expect(await ids(`&endpoint_uuid=${endpoint}`, key)).to.deep.equal([]);
        expect(await ids(`&message_uuid=${message}`, key)).to.deep.equal([]);
        await expectRefused(api, ['GET', `/deliveries/${made[0]}`, { key }], 404, 'not_found');
        await expectRefused(api, ['POST', `/deliveries/${made[0]}/redeliver`, { key }], 404, 'not_found');
      }
    });

    it('name a parameter that is sent twice, and nothing else about it', async () => {
      const get = (query: string) => ['GET', `/deliveries?${query}`, { key: world.key }] as const;
      for (const query of ['status=failed&status=pending', 'limit=1&limit=2']) {
        const name = `query.${query.split('=')[0]!}`;
        const { body } = await expectInvalid(api, get(query), [name, 'type']);
        expect(body.error?.message).to.include(`${name} is sent more than once`);
      }
    });

    it('refuse two resources, a time that is none, and a cursor of another list', async () => {
      const get = (query: string) => ['GET', `/deliveries?${query}`, { key: world.key }] as const;
      const both = `message_uuid=${message}&event_id=${UNKNOWN}`;
      await expectInvalid(api, get(both), ['query', 'too_many_filters']);
      await expectRefused(api, get('created_from=yesterday'), 422, 'validation_failed');
      const reversed = 'created_from=2026-01-02T00:00:00Z&created_before=2026-01-01T00:00:00Z';
      await expectInvalid(api, get(reversed), ['query.created_before', 'range_not_possible']);
      const { body } = await call('GET', '/deliveries?limit=2');
      const cursor = body.meta!.next_cursor!;
      await expectRefused(api, get(`after=${cursor}&status=failed`), 422, 'invalid_cursor');
    });

    it('and endpoints are not found by what is no uuid', async () => {
      for (const path of ['/deliveries/none', '/webhooks/none'])
        await expectRefused(api, ['GET', path, { key: world.key }], 404, 'not_found');
    });

    it('show body, headers and attempts, and can be sent again', async () => {
      const shown = dataOf(await call('GET', `/deliveries/${made[0]}`));
      const { body } = (await api.app.readModels.get(deliveries.name, made[0]!))!.doc;
      expect(shown).to.deep.include({ id: made[0], body, attempts: [], redelivery_of: null });
      const again = dataOf(await call('POST', `/deliveries/${made[0]}/redeliver`), 202);
      const second = dataOf(await call('GET', `/deliveries/${String(again['delivery_id'])}`));
      expect(second).to.deep.include({ body, redelivery_of: made[0], event_id: shown['event_id'] });
    });

    it('of an endpoint that was removed can not be sent again: nothing would ever be sent', async () => {
      const removed = await create();
      const id = await deliver(removed, api.app.newId());
      await call('DELETE', `/webhooks/${removed}`);
      const again = ['POST', `/deliveries/${id}/redeliver`, { key: world.key }] as const;
      const { body } = await expectRefused(api, again, 404, 'not_found');
      expect(body.error?.details).to.deep.equal({ resource: 'webhook', uuid: removed });
      expect(dataOf(await call('GET', `/deliveries/${id}`))['id']).to.equal(id);
    });

    it('of an erased person can not be sent again', async () => {
      const id = await deliver(endpoint, api.app.newId());
      const { doc } = (await api.app.readModels.get(deliveries.name, id))!;
      await api.app.readModels.write(deliveries.name, [
        { id, doc: { ...doc, body: '' }, version: '0000000002' },
      ]);
      expect(dataOf(await call('GET', `/deliveries/${id}`))['body']).to.equal(null);
      await expectRefused(
        api,
        ['POST', `/deliveries/${id}/redeliver`, { key: world.key }],
        422,
        'delivery_erased',
      );
    });
  });
});
