import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { verifyServiceSignature } from '../../../domain/policies/webhook-signature.js';
import { RECORD_WITHIN_MS } from '../../../workers/webhooks/dispatcher.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { answer, createHarness, failure } from './harness.js';
import { openedForEach } from '../../support/opened.js';
import { deferred } from '../../conformance/support.js';
import type { HttpResult } from '../../../ports/http-sender.js';

const HOUR = 3_600_000;
const UUID = /^[0-9a-f-]{36}$/;

describe('webhook dispatcher', () => {
  const h = openedForEach(createHarness);

  it('sends a delivery with every header of the contract and records it', async () => {
    const endpoint = h.addEndpoint();
    const delivery = await h.attempted(endpoint);

    const request = h.sent[0]!;
    expect(h.sent).to.have.length(1);
    expect(request.text).to.equal(delivery.body);
    const now = Math.floor(h.clock.now() / 1000);
    expect(request.headers).to.include({
      'content-type': 'application/json',
      'user-agent': 'Recado-Webhooks/1.0',
      'Service-Event-Id': delivery.eventId,
      'Service-Event': 'message.received',
      'Service-Delivery-Id': delivery.deliveryId,
      'Service-Timestamp': String(now),
      'Service-Attempt': '1',
      'webhook-id': delivery.eventId,
      'webhook-timestamp': String(now),
    });
    expect(request.headers['Service-Delivery-Id']).to.match(UUID);
    const verification = verifyServiceSignature({
      timestamp: request.headers['Service-Timestamp']!,
      signature: request.headers['Service-Signature']!,
      rawBody: request.body,
      secrets: endpoint.secrets,
      now,
    });
    expect(verification).to.equal('valid');

    expect(await h.delivery(delivery.deliveryId)).to.deep.include({
      status: 'delivered',
      attempts: 1,
      next_attempt_at: null,
      last_status: 200,
      last_error: null,
      body_sha256: createHash('sha256').update(delivery.body).digest('hex'),
    });
    const attempts = await h.attempts(delivery.deliveryId);
    expect(attempts).to.have.length(1);
    expect(attempts[0]).to.deep.include({
      number: 1,
      trigger: 'auto',
      status: 200,
      failure: null,
      url: endpoint.url,
    });
    expect(await h.rows()).to.equal(0);
  });

  it('finds at its start what was enqueued before', async () => {
    await h.enqueue(h.addEndpoint(), 120);
    await h.start().idle();
    expect(h.sent).to.have.length(120);
    expect(await h.rows()).to.equal(0);
  });

  it('tries again by the table, with the same bytes, a fresh timestamp and the next attempt number', async () => {
    const endpoint = h.addEndpoint();
    h.respond(() => answer(h.sent.length < 4 ? 500 : 204));
    const dispatcher = h.start();
    const begun = h.clock.now();
    const [delivery] = await h.enqueue(endpoint);
    await h.clock.advance(3 * HOUR);
    await dispatcher.idle();

    expect(h.sent.map(({ at }) => (at - begun) / 1000)).to.deep.equal([0, 5, 305, 2105]);
    expect(h.header('Service-Attempt')).to.deep.equal(['1', '2', '3', '4']);
    expect(new Set(h.sent.map(({ text }) => text))).to.deep.equal(new Set([delivery!.body]));
    expect(h.requested()).to.equal(1);
    for (const { headers, at, body } of h.sent) {
      expect(headers['Service-Timestamp']).to.equal(String(Math.floor(at / 1000)));
      const signed = { timestamp: headers['Service-Timestamp']!, signature: headers['Service-Signature']! };
      expect(
        verifyServiceSignature({ ...signed, rawBody: body, secrets: endpoint.secrets, now: at / 1000 }),
      ).to.equal('valid');
    }
    const attempts = await h.attempts(delivery!.deliveryId);
    expect(attempts.map(({ status, failure: kind }) => [status, kind])).to.deep.equal([
      [500, 'http_status'],
      [500, 'http_status'],
      [500, 'http_status'],
      [204, null],
    ]);
    expect(attempts[0]!.next_attempt_at).to.equal(new Date(begun + 5000).toISOString());
    expect(await h.delivery(delivery!.deliveryId)).to.include({ status: 'delivered', attempts: 4 });
  });

  it('gives up after ten attempts', async () => {
    h.respond(() => answer(302, { location: 'https://elsewhere.example/' }));
    const dispatcher = h.start();
    const [delivery] = await h.enqueue(h.addEndpoint());
    await h.clock.advance(80 * HOUR);
    await dispatcher.idle();
    expect(h.sent).to.have.length(10);
    const doc = await h.delivery(delivery!.deliveryId);
    expect(doc).to.include({ status: 'failed', attempts: 10, next_attempt_at: null, last_status: 302 });
    expect(doc.last_error).to.contain('https://elsewhere.example/');
    expect(await h.rows()).to.equal(0);
  });

  it('heeds Retry-After', async () => {
    h.respond(() => (h.sent.length === 1 ? answer(429, { 'retry-after': '120' }) : answer(200)));
    const dispatcher = h.start();
    await h.enqueue(h.addEndpoint());
    await h.clock.advance(119_000);
    expect(h.sent).to.have.length(1);
    await h.clock.advance(1_000);
    await dispatcher.idle();
    expect(h.sent).to.have.length(2);
  });

  it('stops at 410 and tells that the endpoint is gone', async () => {
    const endpoint = h.addEndpoint();
    h.respond(() => answer(410));
    const dispatcher = h.start();
    const [delivery] = await h.enqueue(endpoint);
    await h.clock.advance(HOUR);
    await dispatcher.idle();
    expect(h.sent).to.have.length(1);
    expect(h.gone).to.deep.equal([endpoint.uuid]);
    expect(await h.delivery(delivery!.deliveryId)).to.include({ status: 'failed', last_status: 410 });
  });

  it('keeps what comes due for a disabled endpoint, and catches it up once it is enabled', async () => {
    const endpoint = h.addEndpoint();
    const removed = h.addEndpoint();
    endpoint.enabled = false;
    h.endpoints.delete(removed.uuid);
    const dispatcher = h.start();
    const kept = await h.enqueue(endpoint, 3);
    const [orphan] = await h.enqueue(removed);
    await h.clock.advance(1000);
    await dispatcher.idle();
    expect(h.sent).to.have.length(0);
    expect(await h.delivery(kept[0]!.deliveryId)).to.include({
      status: 'cancelled',
      last_error: 'endpoint_disabled',
      attempts: 0,
    });
    expect(await h.delivery(orphan!.deliveryId)).to.include({
      status: 'cancelled',
      last_error: 'endpoint_removed',
    });

    endpoint.enabled = true;
    expect(await h.catchUp(endpoint)).to.equal(3);
    await h.clock.advance(1000);
    await dispatcher.idle();
    expect(h.header('Service-Delivery-Id')).to.have.members(kept.map(({ deliveryId }) => deliveryId));
    expect(await h.delivery(kept[0]!.deliveryId)).to.include({ status: 'delivered' });
    expect(await h.catchUp(endpoint)).to.equal(0);
  });

  it('catching up gives a pending delivery its row back', async () => {
    const endpoint = h.addEndpoint();
    const [delivery] = await h.enqueue(endpoint);
    await h.store.dueTimes.cancel('webhook', [delivery!.deliveryId]);
    await h.catchUp(endpoint);
    await h.start().idle();
    expect(h.sent).to.have.length(1);
  });

  it('redelivers the same bytes under the same event id and a new delivery id, as often as asked', async () => {
    const dispatcher = h.start();
    const [delivery] = await h.enqueue(h.addEndpoint());
    await h.clock.advance(1000);
    const first = await h.redeliver(delivery!.deliveryId);
    const second = await h.redeliver(delivery!.deliveryId);
    expect(first, 'as it was made').to.not.have.property('delivered_by');
    await h.clock.advance(1000);
    await dispatcher.idle();
    expect(first?.delivery_id).not.to.equal(second?.delivery_id);
    expect(h.sent).to.have.length(3);
    expect(h.requested()).to.equal(3);
    expect(new Set(h.header('Service-Event-Id')).size).to.equal(1);
    expect(new Set(h.sent.map(({ text }) => text)).size).to.equal(1);
    expect(await h.delivery(first!.delivery_id)).to.include({
      status: 'delivered',
      trigger: 'manual',
      redelivery_of: delivery!.deliveryId,
    });
    expect(await h.redeliver('unknown')).to.equal(undefined);
  });

  it('sends once what is enqueued twice', async () => {
    const endpoint = h.addEndpoint();
    const dispatcher = h.start();
    const [delivery] = await h.enqueue(endpoint);
    await h.enqueue(endpoint, 1, delivery);
    await h.clock.advance(1000);
    await h.enqueue(endpoint, 1, { ...delivery, body: '{"other":true}' });
    await h.clock.advance(1000);
    await dispatcher.idle();
    expect(h.sent).to.have.length(1);
    expect((await h.delivery(delivery!.deliveryId)).body).to.equal(delivery!.body);
    expect(await h.rows()).to.equal(0);
  });

  describe('crashes', () => {
    const never = (): Promise<never> => new Promise(() => undefined);

    it('after the 2xx and before it is recorded: sent again once the lease has ended', async () => {
      const [delivery] = await h.enqueue(h.addEndpoint());
      const killed = { ...h.store.readModels, write: never };
      h.startDoomed({ readModels: killed });
      await turns();
      expect(h.sent).to.have.length(1);

      const next = h.start();
      await h.clock.advance(44_000);
      await next.idle();
      expect(h.sent).to.have.length(1);
      await next.stop();
      await h.clock.advance(2_000);
      await h.start().idle();
      expect(h.sent).to.have.length(2);
      const [one, two] = h.sent;
      expect(two!.text).to.equal(one!.text);
      expect(two!.headers['Service-Delivery-Id']).to.equal(one!.headers['Service-Delivery-Id']);
      expect(two!.headers['Service-Attempt']).to.equal('1');
      expect(await h.delivery(delivery!.deliveryId)).to.include({ status: 'delivered', attempts: 1 });
      expect(await h.rows()).to.equal(0);
    });

    it('after the 2xx is recorded and before the row is settled: not sent again', async () => {
      const [delivery] = await h.enqueue(h.addEndpoint());
      h.startDoomed({ dueTimes: { ...h.store.dueTimes, settle: never } });
      await turns();
      expect(await h.delivery(delivery!.deliveryId)).to.include({ status: 'delivered' });
      expect(await h.rows()).to.equal(1);
      await h.clock.advance(46_000);
      await h.start().idle();
      expect(h.sent).to.have.length(1);
      expect(await h.rows()).to.equal(0);
    });

    it('after a failure is recorded and before the row is settled: the next attempt keeps its time', async () => {
      h.respond(() => (h.sent.length === 1 ? answer(429, { 'retry-after': '600' }) : answer(200)));
      const begun = h.clock.now();
      await h.enqueue(h.addEndpoint());
      h.startDoomed({ dueTimes: { ...h.store.dueTimes, settle: never } });
      await turns();
      await h.clock.advance(46_000);
      const next = h.start();
      await next.idle();
      expect(h.sent).to.have.length(1);
      await h.clock.advance(600_000);
      await next.idle();
      expect(h.sent.map(({ at, headers }) => [at - begun, headers['Service-Attempt']])).to.deep.equal([
        [0, '1'],
        [600_000, '2'],
      ]);
    });

    it('two holders that both delivered it leave an attempt each', async () => {
      const [delivery] = await h.enqueue(h.addEndpoint());
      const slow = deferred<HttpResult>();
      h.respond(() => (h.sent.length === 1 ? slow.promise : answer(200)));
      const paused = h.start();
      await turns();
      await h.clock.advance(46_000);
      await h.start().idle();
      slow.resolve(answer(202));
      await paused.idle();
      expect(h.sent).to.have.length(2);
      expect(await h.delivery(delivery!.deliveryId)).to.include({ status: 'delivered', attempts: 1 });
      const attempts = await h.attempts(delivery!.deliveryId);
      expect(attempts.map(({ number, status }) => [number, status])).to.deep.equal([
        [1, 202],
        [1, 200],
      ]);
    });

    it('a store that fails to record is asked again, and nothing is sent again', async () => {
      let faults = 2;
      const write: typeof h.store.readModels.write = (collection, writes) =>
        faults-- > 0 ? Promise.reject(new Error('disk full')) : h.store.readModels.write(collection, writes);
      const [delivery] = await h.enqueue(h.addEndpoint());
      const dispatcher = h.start({ readModels: { ...h.store.readModels, write } });
      await h.clock.advance(10_000);
      await dispatcher.idle();
      expect(h.sent).to.have.length(1);
      expect(await h.delivery(delivery!.deliveryId)).to.include({ status: 'delivered' });
      expect(h.logged('webhook attempts could not be recorded; trying again')).to.have.length(2);
    });

    it('a store that stays away does not keep the process from its end; what it could not record is sent again', async () => {
      const [delivery] = await h.enqueue(h.addEndpoint());
      const write = () => Promise.reject(new Error('away'));
      const ending = h.start({ readModels: { ...h.store.readModels, write } });
      await turns();
      let ended = false;
      void ending.stop().then(() => (ended = true));
      await h.clock.advance(RECORD_WITHIN_MS - 1);
      expect([ended, ending.stats().unrecorded]).to.deep.equal([false, 1]);
      await h.clock.advance(1);
      expect([ended, ending.stats().unrecorded]).to.deep.equal([true, 0]);

      await h.clock.advance(46_000);
      await h.start().idle();
      expect(h.sent).to.have.length(2);
      expect(await h.delivery(delivery!.deliveryId)).to.include({ status: 'delivered', attempts: 1 });
    });

    it('an endpoint that is not known now costs no attempt', async () => {
      const endpoint = h.addEndpoint();
      let faults = 2;
      const [delivery] = await h.enqueue(endpoint);
      const dispatcher = h.start({
        endpoints: {
          get: () =>
            faults-- > 0
              ? Promise.reject(new Error('not loaded'))
              : Promise.resolve({
                  endpoint_uuid: endpoint.uuid,
                  integration_uuid: 'i',
                  company_uuid: 'c',
                  url: endpoint.url,
                  enabled: true,
                  secrets: () => [{ secret: endpoint.secrets[0]!, fingerprint: 'f' }],
                }),
        },
      });
      await h.clock.advance(5_000);
      await dispatcher.idle();
      expect(h.sent).to.have.length(1);
      expect(await h.delivery(delivery!.deliveryId)).to.include({ status: 'delivered', attempts: 1 });
    });

    it('gives back at its stop what it only held, so that another takes it at once', async () => {
      const hanging = h.hang();
      await h.enqueue(h.addEndpoint(), 30);
      const first = h.start();
      await turns();
      expect(h.sent).to.have.length(10);
      const stopping = first.stop();
      for (const end of hanging) end();
      await stopping;
      expect(await h.rows()).to.equal(20);
      h.respond(() => answer(200));
      await h.start().idle();
      expect(h.sent).to.have.length(30);
      expect(h.requested()).to.equal(30);
    });
  });

  describe('isolation', () => {
    it('an endpoint that hangs holds its own slots and delays nobody', async () => {
      const hanging = h.addEndpoint('https://hanging.example/');
      const healthy = Array.from({ length: 5 }, (_, index) =>
        h.addEndpoint(`https://healthy-${index}.example/`),
      );
      const hung = h.hang(hanging);
      const dispatcher = h.start({ limits: { maxInFlight: 20 } });
      await h.enqueue(hanging, 200);
      await turns();
      expect(hung).to.have.length(10);
      for (const endpoint of healthy) await h.enqueue(endpoint, 100);
      while (h.sent.length < 510) await turns(1);
      expect(hung).to.have.length(10);
      expect(dispatcher.stats().inFlight).to.equal(10);
      h.respond(() => answer(200));
      for (const end of hung) end(failure('timeout', 15_000));
      await h.clock.advance(300_000);
      await dispatcher.idle();
      expect(await h.rows()).to.equal(0);
    });

    it('endpoints take turns when all slots are wanted', async () => {
      const busy = h.addEndpoint('https://busy.example/');
      const other = h.addEndpoint('https://other.example/');
      await h.enqueue(busy, 100);
      await h.clock.advance(1);
      await h.enqueue(other, 3);
      const waiting = h.hang();
      const dispatcher = h.start({ limits: { maxInFlight: 4 } });
      await turns();
      let released = 0;
      while (released < 12) {
        await turns(2);
        waiting[released++]?.();
      }
      await turns();
      expect(h.sent.slice(0, 14).filter(({ url }) => url === other.url)).to.have.length(3);
      h.respond(() => answer(200));
      for (const end of waiting) end();
      await dispatcher.idle();
      expect(h.sent).to.have.length(103);
    });

    it('an endpoint that does not answer rests, which costs no attempt, and is probed with one delivery', async () => {
      const endpoint = h.addEndpoint();
      h.respond(() => failure('connect'));
      const dispatcher = h.start({ limits: { breakerAfter: 10, maxPerEndpoint: 5 } });
      await h.enqueue(endpoint, 60);
      await h.clock.advance(0);
      const beforeRest = h.sent.length;
      expect(beforeRest).to.be.within(10, 15);
      expect(dispatcher.stats().resting).to.equal(1);
      await h.clock.advance(4_900);
      expect(h.sent).to.have.length(beforeRest);
      await h.clock.advance(200);
      expect(h.sent).to.have.length(beforeRest + 1);
      h.respond(() => answer(200));
      await h.clock.advance(HOUR);
      await dispatcher.idle();
      expect(await h.rows()).to.equal(0);
      const attempts = new Map<string, number>();
      for (const { headers } of h.sent) {
        attempts.set(headers['Service-Delivery-Id']!, Number(headers['Service-Attempt']));
      }
      expect(attempts.size).to.equal(60);
      expect([...attempts.values()].filter((number) => number === 1).length).to.be.at.least(
        60 - beforeRest - 1,
      );
    });
  });
});
