/** Deliveries that are created again: resumed, sent again by hand, and left by a crash while they are enqueued. */
import { expect } from 'chai';
import { enqueueDeliveries, redeliver, type NewDelivery } from '../../../workers/webhooks/enqueue.js';
import { deferred, failure } from '../../conformance/support.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { openedForEach } from '../../support/opened.js';
import { eventually } from '../../support/e2e/eventually.js';
import { CATCH_UPS, catchUp } from '../../../workers/webhooks/catch-up.js';
import { deliveries } from '../../../read-models/deliveries.js';
import { answer, createHarness, type TestEndpoint } from './harness.js';

const MINUTE = 60_000;

const newDelivery = (endpointUuid: string): NewDelivery => ({
  deliveryId: '00000000-0000-4000-8000-000000000002',
  companyUuid: 'c',
  integrationUuid: 'i',
  endpointUuid,
  eventId: 'e',
  eventType: 'message.received',
  body: '{}',
});

describe('deliveries that are made again', () => {
  const h = openedForEach(createHarness);

  it('an endpoint that was enabled catches up with all it missed, however much that is', async () => {
    const endpoint = h.addEndpoint();
    endpoint.enabled = false;
    const dispatcher = h.start();
    const kept = await h.enqueue(endpoint, 450);
    await h.clock.advance(1_000);
    await dispatcher.stop();
    expect(h.sent).to.deep.equal([]);
    endpoint.enabled = true;
    expect(await h.catchUp(endpoint)).to.equal(450);
    expect(await h.delivery(kept[0]!.deliveryId)).to.include({ status: 'pending', last_error: null });
    await h.start().idle();
    expect(h.requested()).to.equal(450);
  });

  describe('are taken up by work of its own', () => {
    /** Deliveries cancelled because the endpoint was disabled when they came due; it is enabled now. */
    async function missed(count: number) {
      const endpoint = h.addEndpoint();
      endpoint.enabled = false;
      const dispatcher = h.start();
      await h.enqueue(endpoint, count);
      await h.clock.advance(1_000);
      await dispatcher.stop();
      endpoint.enabled = true;
      return endpoint;
    }
    const enabled = ({ uuid }: TestEndpoint, eventId: string) => ({
      endpointUuid: uuid,
      integrationUuid: 'i',
      eventId,
    });
    const left = () => h.store.dueTimes.count(CATCH_UPS);

    it('once for each time that the endpoint was enabled', async () => {
      const endpoint = await missed(30);
      const catchUps = h.startCatchUps();
      await catchUps.add(enabled(endpoint, 'e1'));
      await catchUps.add(enabled(endpoint, 'e1'));
      await catchUps.add(enabled(endpoint, 'e2'));
      await eventually(async () => (await left()) === 0, { what: 'nothing to be taken up' });
      expect(await h.rows()).to.equal(30);
    });

    it('page by page, so that a stop does not wait for a million', async () => {
      const endpoint = await missed(450);
      const deps = { ...h.store, clock: h.clock };
      expect(await catchUp(deps, endpoint.uuid, 1)).to.deep.equal({ taken: 200, more: true });
      expect(await catchUp(deps, endpoint.uuid, 2)).to.deep.equal({ taken: 250, more: false });
      expect(await h.rows()).to.equal(450);
    });

    it('by the process that takes over', async () => {
      const endpoint = await missed(3);
      const first = h.startCatchUps();
      await first.stop();
      await first.add(enabled(endpoint, 'e1'));
      expect(await h.rows()).to.equal(0);
      h.startCatchUps();
      await eventually(async () => (await h.rows()) === 3, { what: 'three deliveries to be due' });
    });

    it('not for an endpoint that is disabled again, or removed', async () => {
      const [disabled, removed] = [await missed(3), await missed(3)];
      disabled.enabled = false;
      h.endpoints.delete(removed.uuid);
      const catchUps = h.startCatchUps();
      for (const endpoint of [disabled, removed]) await catchUps.add(enabled(endpoint, endpoint.uuid));
      await eventually(async () => (await left()) === 0, { what: 'nothing to be taken up' });
      expect(await h.rows()).to.equal(0);
    });
  });

  it('all that is pending and has lost its row gets it back, however much that is, and as it was', async () => {
    const endpoint = h.addEndpoint();
    h.respond(() => answer(500));
    const dispatcher = h.start();
    await h.enqueue(endpoint);
    await turns();
    await dispatcher.stop();
    await h.enqueue(endpoint, 449);
    const claimAll = () =>
      h.store.dueTimes.claim({
        queue: 'webhook',
        lane: endpoint.uuid,
        now: h.clock.now() + MINUTE,
        limit: 1_000,
        leaseMs: MINUTE,
      });
    await h.store.dueTimes.cancel(
      'webhook',
      (await claimAll()).map(({ id }) => id),
    );
    expect(await h.rows()).to.equal(0);
    expect(await h.catchUp(endpoint)).to.equal(0);
    const rows = await claimAll();
    expect(rows).to.have.length(450);
    expect(rows.filter(({ payload }) => payload['attempts'] === 1)).to.have.length(1);
    expect(rows.filter(({ payload }) => payload['attempts'] === 0)).to.have.length(449);
  });

  it('where nothing was missed, catching up asks no store to write', async () => {
    const dead = (): Promise<never> => Promise.reject(new Error('asked to write'));
    const { readModels, dueTimes } = h.store;
    const deps = {
      clock: h.clock,
      readModels: { ...readModels, write: dead },
      dueTimes: { ...dueTimes, schedule: dead },
    };
    expect(await catchUp(deps, h.addEndpoint().uuid)).to.deep.equal({ taken: 0, more: false });
  });

  it('catching up does not bring a later attempt forward', async () => {
    const endpoint = h.addEndpoint();
    h.respond(() => answer(500));
    const dispatcher = h.start();
    const [delivery] = await h.enqueue(endpoint);
    await h.clock.advance(5_000);
    await dispatcher.idle();
    expect(h.sent).to.have.length(2);
    await h.store.dueTimes.cancel('webhook', [delivery!.deliveryId]);
    await h.catchUp(endpoint);
    await h.clock.advance(5 * MINUTE - 1);
    expect(h.sent).to.have.length(2);
    await h.clock.advance(1);
    await dispatcher.idle();
    expect(h.header('Service-Attempt')).to.deep.equal(['1', '2', '3']);
  });

  it('one that is sent again by hand has all its attempts before it', async () => {
    const endpoint = h.addEndpoint();
    h.respond(() => answer(500));
    const dispatcher = h.start();
    const [delivery] = await h.enqueue(endpoint);
    await h.clock.advance(5_000);
    const before = h.sent.length;
    await h.redeliver(delivery!.deliveryId);
    await h.clock.advance(5_000);
    await dispatcher.idle();
    expect(h.header('Service-Attempt').slice(before)).to.deep.equal(['1', '2']);
  });

  it('one sent again by hand is sent, or never was asked for, wherever the process dies', async () => {
    const endpoint = h.addEndpoint();
    const [delivery] = await h.enqueue(endpoint);
    const dispatcher = h.start();
    await h.clock.advance(1_000);
    const { readModels, dueTimes } = h.store;
    const dead = (): Promise<never> => Promise.reject(new Error('killed'));
    const dying = [
      { dueTimes: { ...dueTimes, schedule: dead } },
      { readModels: { ...readModels, write: dead } },
      { dueTimes: { ...dueTimes, reschedule: dead } },
    ];
    for (const [step, broken] of dying.entries()) {
      const deliveryId = `00000000-0000-4000-8000-00000000001${step}`;
      const asked = redeliver(
        { ...h.store, clock: h.clock, ...broken, newId: () => deliveryId },
        delivery!.deliveryId,
      );
      await failure(asked);
      await h.clock.advance(60_000);
      const doc = await readModels.get(deliveries.name, deliveryId);
      expect(doc?.doc.status, `step ${step}`).to.equal(step < 2 ? undefined : 'delivered');
      expect(await h.rows()).to.equal(0);
    }
    await dispatcher.stop();
  });

  it('has a row only once its document is durable: a row without one would end as nothing', async () => {
    const stored = deferred();
    const { readModels } = h.store;
    const write: typeof readModels.write = async (...args) => {
      await stored.promise;
      return readModels.write(...args);
    };
    const deps = { ...h.store, clock: h.clock, readModels: { ...readModels, write } };
    const enqueued = enqueueDeliveries(deps, [newDelivery(h.addEndpoint().uuid)]);
    await turns();
    expect(await h.rows()).to.equal(0);
    stored.resolve();
    await enqueued;
    expect(await h.rows()).to.equal(1);
  });
});
