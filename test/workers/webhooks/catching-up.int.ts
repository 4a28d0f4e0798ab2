/** Deliveries that are made again: caught up, sent again by hand, and what a crash may leave while they are enqueued. */
import { expect } from 'chai';
import { enqueueDeliveries, redeliver } from '../../../workers/webhooks/enqueue.js';
import { deferred, failure } from '../../conformance/support.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { openedForEach } from '../../support/opened.js';
import { answer, createHarness } from './harness.js';

const MINUTE = 60_000;

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
      const doc = await readModels.get<{ status: string }>('deliveries', deliveryId);
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
    const enqueued = enqueueDeliveries({ ...h.store, clock: h.clock, readModels: { ...readModels, write } }, [
      {
        deliveryId: '00000000-0000-4000-8000-000000000002',
        companyUuid: 'c',
        integrationUuid: 'i',
        endpointUuid: h.addEndpoint().uuid,
        eventId: 'e',
        eventType: 'message.received',
        body: '{}',
      },
    ]);
    await turns();
    expect(await h.rows()).to.equal(0);
    stored.resolve();
    await enqueued;
    expect(await h.rows()).to.equal(1);
  });
});
