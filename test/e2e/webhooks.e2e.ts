/** Webhooks in both directions: from the provider to the product, and from the product to integrators. */
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { signWebhook } from '../../adapters/whatsapp/webhook-signature.js';
import { rotateWebhookSecret } from '../../application/provisioning/integrations.js';
import { newWebhookSecret } from '../../domain/policies/webhook-signature.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { openedWithReceiver } from '../support/e2e/opened-product.js';
import { APP_SECRET } from '../support/e2e/product.js';
import type { Delivery } from '../support/e2e/receiver.js';
import { doorOf, post, webhookOf } from '../support/e2e/whatsapp.js';
import { standardAccepts, stripeAccepts } from '../support/webhook-verifiers.js';
import { recordsSince } from '../support/records.js';

describe('webhooks of the whole product', function () {
  this.timeout(TEST_TIMEOUT_MS);
  const product = openedWithReceiver();

  const tell = (body: string, signature?: string): Promise<Response> => post(product, body, signature);
  /** Returns a function that reads the types of all events stored since this call. */
  async function following(): Promise<() => Promise<readonly string[]>> {
    const mark = await product.app.store.head();
    return async () => (await recordsSince(product.app.store, mark)).map(({ type }) => type);
  }

  it('carry two signatures after a rotation, and receivers with either secret accept them', async () => {
    const before = product.running.credentials['webhook_secret']!;
    const { app, integration: integrationUuid, receiver } = product;
    const { webhookSecret: now } = await rotateWebhookSecret(app, { integrationUuid }, { actor: 'test' });
    const seen = receiver.deliveries.length;
    product.reply('+5511987652001', 'ação 🇧🇷');
    await eventually(() => receiver.of('message.received').length > 0);
    const fresh = receiver.deliveries.slice(seen);
    expect(fresh).to.not.be.empty;
    for (const delivery of fresh) {
      expect(delivery.headers['service-signature']).to.match(/^v1=[a-f0-9]{64},v1=[a-f0-9]{64}$/);
      for (const accepts of [stripeAccepts, standardAccepts]) {
        expect(accepts(delivery, now)).to.equal(true);
        expect(accepts(delivery, before)).to.equal(true);
        expect(accepts(delivery, newWebhookSecret())).to.equal(false);
      }
    }
  });

  it('say what happened in the order of their sequence, once per event', async () => {
    const { receiver } = product;
    const seen = receiver.deliveries.length;
    const operation = await product.sent('+5511969010009');
    await product.messageStatus(operation, 'read');
    const own = (): Delivery[] =>
      receiver.deliveries.slice(seen).filter(({ event }) => event.data.operation_uuid === operation.uuid);
    await eventually(() => own().some(({ event }) => event.data.message?.status === 'read'));
    await product.sandbox.idle();
    await product.quiet();
    const events = own().map(({ event }) => event);
    expect(new Set(events.map(({ id }) => id)).size).to.equal(events.length);
    const statuses = [...events]
      .sort((a, b) => a.sequence - b.sequence)
      .map(({ data }) => data.message!.status);
    // The provider sent each status twice; the repetition must not be delivered.
    expect(statuses).to.deep.equal([...new Set(statuses)]);
    expect(statuses[statuses.length - 1]).to.equal('read');
  });

  describe('from the provider', () => {
    it('are subscribed to by Meta’s handshake', async () => {
      const { whatsapp_verify_token: token } = product.running.credentials;
      const ask = (verifyToken: string): Promise<Response> => {
        const query = new URLSearchParams({
          'hub.mode': 'subscribe',
          'hub.challenge': '1158201444',
          'hub.verify_token': verifyToken,
        });
        return fetch(`${doorOf(product)}?${query.toString()}`);
      };
      const right = await ask(token!);
      expect(right.status).to.equal(200);
      expect(await right.text()).to.equal('1158201444');
      expect((await ask('wrong')).status).to.equal(403);
    });

    it('are refused with a bad signature or none, and leave no trace', async () => {
      const messages = [{ id: 'wamid.forged', from: '5511987652009', type: 'text' }];
      const body = webhookOf('messages', { messages });
      const head = await product.app.store.head();
      const forged = `sha256=${createHmac('sha256', 'not the secret').update(body).digest('hex')}`;
      for (const signature of [forged, '', 'sha256=zz', signWebhook(Buffer.from(`${body} `), APP_SECRET)]) {
        expect((await tell(body, signature)).status).to.equal(401);
      }
      expect(await product.app.store.head()).to.equal(head);
    });

    for (const [what, body] of [
      ['no JSON', 'no JSON at all'],
      ['an empty body', ''],
      ['another object', '{"object":"page"}'],
      [
        'a field of the future',
        `{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"teleport","value":{"x":1}}]}]}`,
      ],
    ] as const) {
      it(`are kept when they are ${what}, and shown to operators`, async () => {
        const fresh = await following();
        expect((await tell(body)).status).to.equal(200);
        const types = await eventually(async () => {
          const found = await fresh();
          return found.includes('ProviderUpdateParked') && found;
        });
        expect(types).to.include('ProviderWebhookReceived');
      });
    }

    it('are kept once when Meta repeats them', async () => {
      const text = { type: 'text', text: { body: 'oi' }, timestamp: '1700000000' };
      const messages = [{ id: 'wamid.again', from: '5511987652010', ...text }];
      const body = webhookOf('messages', { messages });
      const since = await following();
      const answers = await Promise.all([tell(body), tell(body), tell(body)]);
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
      // The same message in another webhook body.
      await tell(`${body} `);
      await product.quiet('inbound');
      const fresh = await since();
      expect(fresh.filter((type) => type === 'MessageReceived')).to.have.length(1);
      expect(fresh.filter((type) => type === 'ProviderWebhookReceived')).to.have.length(2);
    });

    it('for a number nobody has connected are parked', async () => {
      const fresh = await following();
      const body = webhookOf('messages', {
        metadata: { phone_number_id: '999' },
        messages: [{ id: 'wamid.x', from: '5511987652011', type: 'text', text: { body: 'oi' } }],
      });
      expect((await tell(body)).status).to.equal(200);
      await eventually(async () => (await fresh()).includes('ProviderUpdateParked'));
    });
  });
});
