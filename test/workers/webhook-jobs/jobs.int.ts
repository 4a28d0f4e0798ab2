/** Replays, back-fills and redeliveries in the background: what is delivered, how often, and when they wait or end. */
import { expect } from 'chai';
import { WEBHOOK_JOBS } from '../../../application/webhooks/jobs.js';
import { envelopeIdOf, ERASED, MADE } from '../../../application/event-feed/envelopes.js';
import { webhookEventId } from '../../../application/provisioning/webhooks.js';
import { readHealth } from '../../../application/queries/webhook-health.js';
import type { HttpResult } from '../../../ports/http-sender.js';
import { deliveries, type DeliveryDoc } from '../../../read-models/deliveries.js';
import { eventEnvelopes } from '../../../read-models/event-envelopes.js';
import { webhookJobs } from '../../../read-models/webhook-jobs.js';
import { deliveryIdOf } from '../../../application/webhooks/delivery-ids.js';
import { startWebhookJobs } from '../../../workers/webhook-jobs/worker.js';
import { startWebhookDispatcher } from '../../../workers/webhooks/dispatcher.js';
import { webhookCollections } from '../../../workers/webhooks/documents.js';
import { createEndpointDirectory } from '../../../workers/webhooks/endpoint-directory.js';
import { enqueueDeliveries } from '../../../workers/webhooks/enqueue.js';
import { createHealthKeeper } from '../../../workers/webhooks/health.js';
import { ask, dataOf, type Ask } from '../../support/api/client.js';
import { makeApi } from '../../support/api/make-api.js';
import { expectInvalid, expectRefused } from '../../support/api/refused.js';
import { addCustomer, addInboundMessage, addIntegration, makeWorld } from '../../support/api/world.js';
import { openedForEach } from '../../support/opened.js';
import { recordsSince } from '../../support/records.js';
import { eventually } from '../../support/e2e/eventually.js';
import { answer, failure } from '../webhooks/dispatching.js';

type Row = Readonly<Record<string, unknown>>;
const URL = 'https://erp.example.com/hook';

async function open() {
  const api = await makeApi();
  const { app } = api;
  for (const spec of webhookCollections) await app.readModels.define(spec);
  const world = await makeWorld(app);
  const enqueue = (orders: Parameters<typeof enqueueDeliveries>[1]) => enqueueDeliveries(app, orders);
  const begin = () => startWebhookJobs(app, { endpoints: createEndpointDirectory(app), enqueue });
  const parts: { stop(): Promise<void> }[] = [];
  const call = (method: string, path: string, json?: object, more: Ask = {}) =>
    ask(api, method, path, { key: world.key, ...(json ? { json } : {}), ...more });
  return {
    api,
    app,
    world,
    enqueue,
    call,
    /** The worker of jobs; stopped at the end of the test. */
    work() {
      const jobs = begin();
      parts.push(jobs);
      return jobs;
    },
    /** A dispatcher whose receiver answers as told. */
    deliver(respond: () => HttpResult) {
      const health = createHealthKeeper(app);
      const dispatcher = startWebhookDispatcher({
        ...app,
        sender: { ...app.sender, post: async () => respond() },
        endpoints: createEndpointDirectory(app),
        schedule: [0, 1, 3_600_000],
        random: () => 0,
        onOutcome: (endpoint, outcome) => health.note(endpoint, outcome),
      });
      parts.push(dispatcher, health);
    },
    create: async (body: object = { url: URL }) =>
      String(dataOf(await call('POST', '/webhooks', body), 201)['uuid']),
    /** Three messages of one customer: a conversation and three messages are events. */
    async history(): Promise<void> {
      const customer = await addCustomer(app, world, { phone: '+5511987654321' });
      for (const text of ['um', 'dois', 'três']) await addInboundMessage(app, world, customer, text);
    },
    async made(endpoint: string): Promise<readonly DeliveryDoc[]> {
      const pages = await Promise.all(
        ['pending', 'delivered', 'failed', 'cancelled'].map((status) =>
          app.readModels.find(deliveries.name, {
            index: 'by_endpoint_status',
            equals: [endpoint, status],
            order: 'asc',
            limit: 1_000,
          }),
        ),
      );
      return pages.flatMap(({ documents }) => documents.map(({ doc }) => doc));
    },
    async ended(endpoint: string, uuid: string): Promise<Row> {
      const read = async () => dataOf(await call('GET', `/webhooks/${endpoint}/replays/${uuid}`));
      await eventually(async () => (await read())['status'] !== 'running');
      return read();
    },
    async close() {
      await Promise.all(parts.map((part) => part.stop()));
      await api.close();
    },
  };
}

describe('jobs on webhook deliveries', () => {
  const w = openedForEach(open);
  const ofType = (rows: readonly DeliveryDoc[]) => rows.map(({ event_type }) => event_type).sort();

  it('replay a range: each event once, under ids that a repeated piece makes again', async () => {
    await w.history();
    const endpoint = await w.create({ url: URL, event_types: ['message.received'] });
    const from = new Date(w.app.clock.now() - 3_600_000).toISOString();
    const body = { from, per_second: 100 };
    const started = await w.call('POST', `/webhooks/${endpoint}/replays`, body);
    const uuid = String(dataOf(started, 202)['uuid']);
    expect(started.headers.location).to.equal(`/api/v1/webhooks/${endpoint}/replays/${uuid}`);
    w.work();
    expect(await w.ended(endpoint, uuid)).to.include({
      status: 'done',
      progress: 1,
      first_time: 3,
      again: 0,
    });
    const made = await w.made(endpoint);
    expect(made.map(({ trigger, event_type }) => [trigger, event_type])).to.deep.equal(
      Array.from({ length: 3 }, () => ['manual', 'message.received']),
    );
    // A crash after the deliveries were made, and before the progress was written.
    const stored = (await w.app.readModels.get(webhookJobs.name, uuid))!;
    const doc = { ...stored.doc, status: 'running', position: null, part: null } as const;
    await w.app.readModels.write(webhookJobs.name, [{ id: uuid, doc, version: '0000000099' }]);
    const row = { queue: WEBHOOK_JOBS, id: uuid, lane: endpoint, dueAt: w.app.clock.now() };
    await w.app.dueTimes.schedule([{ ...row, payload: { job_uuid: uuid } }]);
    await w.ended(endpoint, uuid);
    expect(await w.made(endpoint)).to.have.length(3);
  });

  it('count without delivering on a dry run, by sequence too', async () => {
    await w.history();
    const endpoint = await w.create({ url: URL, event_types: ['message.received'] });
    const received = (await recordsSince(w.app.store)).filter(({ type }) => type === 'MessageReceived');
    const sequences = received.map(({ position }) => w.app.store.sequenceOf(position));
    w.work();
    const body = { from_sequence: sequences[1], to_sequence: sequences[2], dry_run: true };
    const started = dataOf(await w.call('POST', `/webhooks/${endpoint}/replays`, body), 202);
    const ended = await w.ended(endpoint, String(started['uuid']));
    expect(ended).to.include({ status: 'done', first_time: 1, dry_run: true });
    expect(await w.made(endpoint)).to.deep.equal([]);
  });

  it('send the bytes that the events feed shows, and nothing of an erased person', async () => {
    await w.history();
    const endpoint = await w.create({ url: URL, event_types: ['message.received'] });
    const received = (await recordsSince(w.app.store)).filter(({ type }) => type === 'MessageReceived');
    const kept = received.slice(0, 2).map(({ eventId, position }, n) => ({
      id: envelopeIdOf(
        { eventId: webhookEventId(eventId), sequence: w.app.store.sequenceOf(position) },
        w.world.integration,
      ),
      doc: {
        company_uuid: w.world.company,
        integration_uuid: w.world.integration,
        event_id: webhookEventId(eventId),
        event_type: 'message.received',
        sequence: w.app.store.sequenceOf(position),
        body: `{"kept":${n}}`,
        made_at: new Date(w.app.clock.now()).toISOString(),
      },
      version: n === 0 ? MADE : ERASED,
    }));
    await w.app.readModels.write(eventEnvelopes.name, kept);
    w.work();
    const from = new Date(w.app.clock.now() - 3_600_000).toISOString();
    const { uuid } = dataOf(await w.call('POST', `/webhooks/${endpoint}/replays`, { from }), 202);
    expect(await w.ended(endpoint, String(uuid))).to.include({ first_time: 2, left_out: 1 });
    const made = await w.made(endpoint);
    expect(made.map(({ body }) => body))
      .to.include('{"kept":0}')
      .and.not.include('{"kept":1}');
  });

  it('back-fill a new endpoint: no gap, no overlap with what is delivered as usual', async () => {
    await w.history();
    const from = new Date(w.app.clock.now() - 3_600_000).toISOString();
    const endpoint = await w.create({ url: URL, from });
    const received = (await recordsSince(w.app.store)).filter(({ type }) => type === 'MessageReceived');
    // The notifications worker was behind: it handles this event only now, and sees the new endpoint.
    const eventId = webhookEventId(received[2]!.eventId);
    const owner = { companyUuid: w.world.company, integrationUuid: w.world.integration };
    const usual = {
      deliveryId: deliveryIdOf({ eventId, sequence: 1 }, endpoint, Infinity),
      ...owner,
      endpointUuid: endpoint,
    };
    await w.enqueue([{ ...usual, eventId, eventType: 'message.received', body: '{}' }]);
    w.work();
    const [job] = dataOf<Row[]>(await w.call('GET', `/webhooks/${endpoint}/replays`));
    expect(job).to.include({ kind: 'back_fill', from });
    expect(await w.ended(endpoint, String(job!['uuid']))).to.include({ first_time: 3, under_way: 1 });
    const made = await w.made(endpoint);
    expect(ofType(made)).to.deep.equal([
      'conversation.created',
      'message.received',
      'message.received',
      'message.received',
    ]);
    expect(new Set(made.map(({ event_id }) => event_id)).size).to.equal(4);
    expect(made.every(({ trigger }) => trigger === 'auto')).to.equal(true);
    // It handles another one after the back-fill: the delivery has the same id.
    expect(made.map(({ delivery_id }) => delivery_id)).to.have.members(
      made.map(({ event_id }) => deliveryIdOf({ eventId: event_id, sequence: 1 }, endpoint, Infinity)),
    );
  });

  it('deliver what a dead endpoint missed: what waits, and what has failed, each event once', async () => {
    const endpoint = await w.create();
    let dead = true;
    const arrived: number[] = [];
    w.deliver(() => {
      if (dead) return answer(503);
      arrived.push(w.app.clock.now());
      return answer(200);
    });
    const make = (n: number) =>
      w.enqueue(
        Array.from({ length: n }, () => ({
          deliveryId: w.app.newId(),
          companyUuid: w.world.company,
          integrationUuid: w.world.integration,
          endpointUuid: endpoint,
          eventId: w.app.newId(),
          eventType: 'order.created',
          body: '{}',
        })),
      );
    await make(30);
    const count = async (test: (doc: DeliveryDoc) => boolean) => (await w.made(endpoint)).filter(test).length;
    await eventually(async () => (await count(({ attempts }) => attempts === 2)) === 30);
    // Ten have failed for good; twenty wait for an hour.
    const failed = (await w.made(endpoint)).slice(0, 10);
    for (const doc of failed) {
      const { version } = (await w.app.readModels.get(deliveries.name, doc.delivery_id))!;
      const next = String(Number(version) + 1).padStart(10, '0');
      const write = { ...doc, status: 'failed', next_attempt_at: null } as const;
      await w.app.readModels.write(deliveries.name, [{ id: doc.delivery_id, doc: write, version: next }]);
      await w.app.dueTimes.cancel('webhook', [doc.delivery_id]);
    }
    const before = (await readHealth(w.app, [endpoint])).get(endpoint)!;
    expect(before.waiting).to.deep.equal({ count: 20, capped: false });
    expect(before.recorded).to.include({ failing: 1, last_failure: 'status 503' });
    dead = false;
    w.work();
    const body = { per_second: 100 };
    const started = dataOf(await w.call('POST', `/webhooks/${endpoint}/redeliver-failed`, body), 202);
    const uuid = String(started['uuid']);
    expect(await w.ended(endpoint, uuid)).to.include({ status: 'done', again: 30, under_way: 0 });
    await eventually(async () => (await count(({ status }) => status === 'delivered')) === 30);
    expect(arrived).to.have.length(30);
    // Once more: everything has been delivered since.
    const again = dataOf(await w.call('POST', `/webhooks/${endpoint}/redeliver-failed`, body), 202);
    expect(await w.ended(endpoint, String(again['uuid']))).to.include({ again: 0, under_way: 10 });
    expect(arrived).to.have.length(30);
  });

  it('wait while the endpoint is paused, and can be cancelled', async () => {
    await w.history();
    const endpoint = await w.create({ url: URL, enabled: false });
    const from = new Date(w.app.clock.now() - 3_600_000).toISOString();
    const started = dataOf(await w.call('POST', `/webhooks/${endpoint}/replays`, { from }), 202);
    const path = `/webhooks/${endpoint}/replays/${String(started['uuid'])}`;
    w.work();
    await eventually(async () => dataOf(await w.call('GET', path))['waits_for'] === 'endpoint_enabled');
    expect(dataOf(await w.call('POST', `${path}/cancel`))).to.include({
      status: 'cancelled',
      waits_for: null,
    });
    expect(dataOf(await w.call('POST', `${path}/cancel`))['status']).to.equal('cancelled');
    expect(await w.made(endpoint)).to.deep.equal([]);
  });

  it('end when the endpoint is removed', async () => {
    const endpoint = await w.create();
    const from = new Date(w.app.clock.now() - 3_600_000).toISOString();
    const { uuid } = dataOf(await w.call('POST', `/webhooks/${endpoint}/replays`, { from }), 202);
    await w.call('DELETE', `/webhooks/${endpoint}`);
    w.work();
    await eventually(async () => {
      const { doc } = (await w.app.readModels.get(webhookJobs.name, String(uuid)))!;
      return doc.status === 'failed' && doc.reason === 'endpoint_removed';
    });
  });

  it('wait while nothing answers at the endpoint', async () => {
    await w.history();
    const endpoint = await w.create();
    w.deliver(() => failure('connect'));
    await w.enqueue(
      Array.from({ length: 30 }, () => ({
        deliveryId: w.app.newId(),
        companyUuid: w.world.company,
        integrationUuid: w.world.integration,
        endpointUuid: endpoint,
        eventId: w.app.newId(),
        eventType: 'order.created',
        body: '{}',
      })),
    );
    await eventually(async () => {
      const { recorded } = (await readHealth(w.app, [endpoint])).get(endpoint)!;
      return recorded?.failing === 1;
    });
    const from = new Date(w.app.clock.now() - 3_600_000).toISOString();
    const { uuid } = dataOf(await w.call('POST', `/webhooks/${endpoint}/replays`, { from }), 202);
    w.work();
    const path = `/webhooks/${endpoint}/replays/${String(uuid)}`;
    await eventually(async () => dataOf(await w.call('GET', path))['waits_for'] === 'endpoint_answers');
  });

  it('are started once under an Idempotency-Key, three at a time, and refuse ranges that are none', async () => {
    const endpoint = await w.create();
    const path = `/webhooks/${endpoint}/replays`;
    const { key } = w.world;
    const from = new Date(w.app.clock.now() - 3_600_000).toISOString();
    const headers = { 'idempotency-key': 'replay-1' };
    const first = await w.call('POST', path, { from }, { headers });
    const again = await w.call('POST', path, { from }, { headers });
    expect(dataOf(again, 202)).to.deep.equal(first.body.data);
    expect(again.headers['idempotent-replayed']).to.equal('true');
    const other = { key, headers, json: { from, per_second: 1 } };
    await expectRefused(w.api, ['POST', path, other], 409, 'idempotency_key_reused');
    for (const [json, field, code] of [
      [{}, 'from', 'range_without_start'],
      [{ from, from_sequence: 1 }, 'from_sequence', 'range_named_twice'],
      [{ from: '2001-01-01T00:00:00Z' }, 'from', 'range_not_possible'],
      [{ from: '2999-01-01T00:00:00Z' }, 'from', 'range_not_possible'],
      [{ from, to: '2001-01-01T00:00:00Z' }, 'to', 'range_not_possible'],
      [{ from: 'yesterday' }, 'from', 'format'],
      [{ from, per_second: 101 }, 'per_second', 'maximum'],
    ] as const) {
      await expectInvalid(w.api, ['POST', path, { key, json }], [field, code]);
    }
    await w.call('POST', path, { from });
    await w.call('POST', path, { from });
    await expectRefused(w.api, ['POST', path, { key, json: { from } }], 422, 'webhook_job_limit_reached');
  });

  it('are those of the key’s integration', async () => {
    const endpoint = await w.create();
    const { uuid } = dataOf(await w.call('POST', `/webhooks/${endpoint}/redeliver-failed`), 202);
    const others = [(await makeWorld(w.app, 'Outra')).key, (await addIntegration(w.app, w.world)).key];
    for (const key of others) {
      for (const [method, path] of [
        ['GET', 'replays'],
        ['GET', `replays/${String(uuid)}`],
        ['POST', `replays/${String(uuid)}/cancel`],
        ['POST', 'redeliver-failed'],
      ] as const) {
        await expectRefused(w.api, [method, `/webhooks/${endpoint}/${path}`, { key }], 404, 'not_found');
      }
    }
    const mine = await w.create();
    const path = `/webhooks/${mine}/replays/${String(uuid)}`;
    await expectRefused(w.api, ['GET', path, { key: w.world.key }], 404, 'not_found');
  });
});
