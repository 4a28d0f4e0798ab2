/** The dispatcher's actions on a due row: a request, a later retry, a cancellation, or nothing yet. */
import { expect } from 'chai';
import { newWebhookSecret, secretFingerprint } from '../../../domain/policies/webhook-signature.js';
import { deferred } from '../../conformance/support.js';
import { answer, type TestEndpoint } from './dispatching.js';
import { createMemoryHarness, type MemoryHarness } from './memory-harness.js';

describe('the webhook dispatcher', () => {
  let h: MemoryHarness;
  beforeEach(async () => {
    h = await createMemoryHarness();
  });

  const seconds = (begun: number): readonly number[] => h.sent.map(({ at }) => (at - begun) / 1_000);
  const fieldsOf = (message: string) => h.logged(message).map(({ level, fields }) => [level, fields]);

  describe('sends a delivery', () => {
    it('as it was enqueued, and records it', async () => {
      const { endpoint, delivery, dispatcher } = await h.first();
      expect(h.sent.map(({ url, text, timeoutMs }) => ({ url, text, timeoutMs }))).to.deep.equal([
        { url: endpoint.url, text: delivery.body, timeoutMs: 15_000 },
      ]);
      expect(h.sent[0]!.headers).to.include({
        'Service-Delivery-Id': delivery.deliveryId,
        'Service-Attempt': '1',
      });
      expect(await h.delivery(delivery.deliveryId)).to.include({ status: 'delivered', attempts: 1 });
      const [attempt] = await h.attempts(delivery.deliveryId);
      expect(attempt).to.include({ number: 1, key_fingerprint: secretFingerprint(endpoint.secrets[0]!) });
      expect(h.waiting()).to.deep.equal([]);
      expect(dispatcher.stats()).to.deep.equal({ inFlight: 0, held: 0, resting: 0, unrecorded: 0 });
    });

    it('again after five seconds and five minutes, and ends when it is taken', async () => {
      h.respond(() => answer(h.sent.length < 3 ? 500 : 200));
      const { delivery, begun } = await h.first();
      await h.clock.advance(3_600_000);
      expect(seconds(begun)).to.deep.equal([0, 5, 305]);
      expect(h.header('Service-Attempt')).to.deep.equal(['1', '2', '3']);
      expect(await h.delivery(delivery.deliveryId)).to.include({ status: 'delivered', attempts: 3 });
    });

    it('again at its time without asking the store anew, and claims nothing once it has ended', async () => {
      h.respond(() => answer(h.sent.length === 1 ? 500 : 200));
      const asked: string[] = [];
      const { dueTimes } = h.store;
      h.start({
        dueTimes: {
          ...dueTimes,
          lanes: (...args) => (asked.push('lanes'), dueTimes.lanes(...args)),
          claim: (...args) => (asked.push('claim'), dueTimes.claim(...args)),
        },
      });
      await h.clock.advance(0);
      const begun = h.clock.now();
      await h.enqueue(h.addEndpoint());
      await h.clock.advance(60_000);
      expect(seconds(begun)).to.deep.equal([0, 5]);
      expect(asked).to.deep.equal(['lanes', 'claim', 'claim']);
    });

    it('again by another table where one is given', async () => {
      h.respond(() => answer(500));
      const { delivery, begun } = await h.first({ schedule: [0, 1_000] });
      await h.clock.advance(3_600_000);
      expect(seconds(begun)).to.deep.equal([0, 1]);
      expect(await h.delivery(delivery.deliveryId)).to.include({ status: 'failed', attempts: 2 });
    });

    it('with the current secret and the one before, and with no third', async () => {
      const endpoint = h.addEndpoint();
      endpoint.secrets = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
      await h.enqueue(endpoint, 2);
      h.start();
      await h.clock.advance(0);
      for (const signature of h.header('Service-Signature')) {
        expect(signature).to.match(/^v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
      }
      expect(h.sent).to.have.length(2);
    });
  });

  it('settles a row once its documents are durable', async () => {
    const durable = deferred();
    let settled = 0;
    await h.first({
      readModels: { ...h.store.readModels, write: () => durable.promise.then(() => []) },
      dueTimes: {
        ...h.store.dueTimes,
        settle(...args) {
          settled += 1;
          return h.store.dueTimes.settle(...args);
        },
      },
    });
    expect(settled).to.equal(0);
    durable.resolve();
    await h.clock.advance(0);
    expect([settled, h.waiting()]).to.deep.equal([1, []]);
  });

  describe('sends nothing', () => {
    for (const [reason, change] of [
      ['endpoint_disabled', (endpoint: TestEndpoint) => void (endpoint.enabled = false)],
      ['endpoint_removed', ({ uuid }: TestEndpoint) => void h.endpoints.delete(uuid)],
    ] as const) {
      it(`where the endpoint is not to have it: ${reason}`, async () => {
        const endpoint = h.addEndpoint();
        const [delivery] = await h.enqueue(endpoint);
        change(endpoint);
        h.start();
        await h.clock.advance(0);
        expect(h.sent).to.deep.equal([]);
        expect(await h.delivery(delivery!.deliveryId)).to.include({
          status: 'cancelled',
          attempts: 0,
          last_error: reason,
          updated_at: new Date(h.clock.now()).toISOString(),
        });
        expect(h.waiting()).to.deep.equal([]);
      });
    }

    it('while the endpoint is not known, which costs no attempt: it asks again a second later', async () => {
      const error = new Error('not loaded');
      let faults = 2;
      const asked: (readonly string[])[] = [];
      const endpoint = h.addEndpoint();
      const [delivery] = await h.enqueue(endpoint);
      const begun = h.clock.now();
      h.start({
        endpoints: {
          async get(...args) {
            asked.push(args);
            if (faults-- > 0) throw error;
            return h.view(endpoint);
          },
        },
      });
      await h.clock.advance(10_000);
      expect(seconds(begun)).to.deep.equal([2]);
      expect(h.header('Service-Attempt')).to.deep.equal(['1']);
      expect(asked[0]).to.deep.equal([endpoint.uuid, delivery!.integrationUuid]);
      const line = ['warn', { err: error, endpoint_uuid: endpoint.uuid }];
      expect(fieldsOf('webhook endpoint is not known now')).to.deep.equal([line, line]);
    });

    it('while the endpoint has no secret, which costs no attempt: it asks again a second later', async () => {
      const endpoint = h.addEndpoint();
      const { secrets } = endpoint;
      endpoint.secrets = [];
      await h.enqueue(endpoint);
      const begun = h.clock.now();
      h.start();
      await h.clock.advance(999);
      endpoint.secrets = secrets;
      await h.clock.advance(10_000);
      expect(seconds(begun)).to.deep.equal([1]);
      expect(h.header('Service-Attempt')).to.deep.equal(['1']);
      expect(fieldsOf('webhook endpoint has no secret to sign with')).to.deep.equal([
        ['error', { endpoint_uuid: endpoint.uuid }],
      ]);
    });

    for (const [heldMs, claims, what] of [
      [4_000, 1, 'it is sent with a second left'],
      [4_001, 2, 'it is given back as it was, and claimed anew'],
    ] as const) {
      it(`that could outlive the claim of its row: ${what}`, async () => {
        const hanging = h.hang();
        await h.enqueue(h.addEndpoint(), 2);
        const due = h.clock.now();
        h.start({ limits: { maxInFlight: 1, timeoutMs: 1_000, leaseMs: 5_000 } });
        await h.clock.advance(heldMs);
        expect(h.sent).to.have.length(1);
        hanging[0]!();
        await h.clock.advance(0);
        expect(h.requested()).to.equal(2);
        expect(h.waiting().map((row) => [row.claims, row.dueAt])).to.deep.equal([[claims, due]]);
      });
    }
  });

  describe('disables an endpoint that is gone', () => {
    it('after 410, and after nothing else', async () => {
      h.respond(({ url }) => answer(url.endsWith('gone') ? 410 : 404));
      const gone = h.addEndpoint('https://receiver.example/gone');
      await h.enqueue(gone);
      await h.enqueue(h.addEndpoint());
      h.start();
      await h.clock.advance(0);
      expect(h.gone).to.deep.equal([gone.uuid]);
    });

    it('or says that it could not', async () => {
      const error = new Error('away');
      h.respond(() => answer(410));
      const { endpoint, delivery } = await h.first({ onGone: () => Promise.reject(error) });
      expect(fieldsOf('gone endpoint could not be disabled')).to.deep.equal([
        ['error', { err: error, endpoint_uuid: endpoint.uuid }],
      ]);
      expect(await h.delivery(delivery.deliveryId)).to.include({ status: 'failed' });
    });
  });
});
