/** Deliveries over a socket, checked by independent libraries. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { systemClock } from '../../../adapters/clock/system.js';
import { createHttpSender } from '../../../adapters/http/safe-sender.js';
import { newWebhookSecret } from '../../../domain/policies/webhook-signature.js';
import { opened, openedForEach } from '../../support/opened.js';
import { serveBodies } from '../../support/servers.js';
import { standardAccepts, stripeAccepts, type SignedDelivery } from '../../support/webhook-verifiers.js';
import { createHarness } from './harness.js';

describe('webhook deliveries at real receivers', () => {
  const received: SignedDelivery[] = [];
  const h = openedForEach(createHarness);
  const sender = opened(() => createHttpSender({ allowPrivate: 'loopback' }));
  const receiver = opened(() =>
    serveBodies(({ headers, url }, response, raw) => {
      received.push({ headers, raw });
      response.writeHead(url === '/broken' ? 500 : 200).end();
    }),
  );
  beforeEach(() => (received.length = 0));

  async function deliver(secrets: string[], body?: string): Promise<SignedDelivery> {
    const endpoint = h.addEndpoint(`${receiver.origin}/hook`);
    endpoint.secrets = secrets;
    const dispatcher = h.start({ sender, clock: systemClock });
    const before = received.length;
    await h.enqueue(endpoint, 1, body === undefined ? {} : { body });
    while (received.length === before) await new Promise((resolve) => setImmediate(resolve));
    await dispatcher.stop();
    expect(await h.rows()).to.equal(0);
    expect(received).to.have.length(before + 1);
    return received[before]!;
  }

  it('verify with the current secret and with no other', async () => {
    const secret = newWebhookSecret();
    const delivery = await deliver([secret]);
    expect(delivery.headers['service-signature']).to.match(/^v1=[a-f0-9]{64}$/);
    for (const accepts of [stripeAccepts, standardAccepts]) {
      expect(accepts(delivery, secret)).to.equal(true);
      expect(accepts(delivery, newWebhookSecret())).to.equal(false);
      expect(accepts({ ...delivery, raw: Buffer.from(`${delivery.raw.toString()} `) }, secret)).to.equal(
        false,
      );
    }
  });

  it('verify with both secrets while they overlap, and only with the new one afterwards', async () => {
    const [current, previous] = [newWebhookSecret(), newWebhookSecret()];
    const overlap = await deliver([current, previous]);
    expect(overlap.headers['service-signature']).to.match(/^v1=[a-f0-9]{64},v1=[a-f0-9]{64}$/);
    const after = await deliver([current]);
    for (const accepts of [stripeAccepts, standardAccepts]) {
      expect(accepts(overlap, current)).to.equal(true);
      expect(accepts(overlap, previous)).to.equal(true);
      expect(accepts(after, current)).to.equal(true);
      expect(accepts(after, previous)).to.equal(false);
    }
  });

  it('verify whatever the body holds', async () => {
    const secret = newWebhookSecret();
    for (const text of ['ação 日本語 🇧🇷 \u2028', '\u0000\\"', 'x'.repeat(300_000)]) {
      const delivery = await deliver([secret], JSON.stringify({ id: randomUUID(), text }));
      expect(stripeAccepts(delivery, secret)).to.equal(true);
      expect(standardAccepts(delivery, secret)).to.equal(true);
      expect((JSON.parse(delivery.raw.toString('utf8')) as { text: string }).text).to.equal(text);
    }
  });

  it('are tried again after a real failure, with the address and the status on record', async () => {
    const endpoint = h.addEndpoint(`${receiver.origin}/broken`);
    const [delivery] = await h.enqueue(endpoint);
    await h.start({ sender, clock: systemClock, schedule: [0, 20, 20] }).idle();
    while (received.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    while ((await h.delivery(delivery!.deliveryId)).status === 'pending') {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(new Set(received.map(({ raw }) => raw.toString()))).to.deep.equal(new Set([delivery!.body]));
    expect(
      (await h.attempts(delivery!.deliveryId)).map(({ status, address }) => [status, address]),
    ).to.deep.equal([
      [500, '127.0.0.1'],
      [500, '127.0.0.1'],
      [500, '127.0.0.1'],
    ]);
  });
});
