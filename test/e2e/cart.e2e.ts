/** A cart sent on WhatsApp, from the provider's webhook to the order that the integrator hears of. */
import { expect } from 'chai';
import { DEMO_WABA_ID } from '../../adapters/whatsapp/sandbox/seeds.js';
import { signWebhook } from '../../adapters/whatsapp/webhook-signature.js';
import { addWebhookEndpoint } from '../../application/provisioning/webhooks.js';
import { storeOf } from '../../application/store/gate.js';
import { addProduct, product as stateOf, type Shop } from '../application/store/orders/support.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { APP_SECRET, DEMO_NUMBER, startProduct, type Product } from '../support/e2e/product.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/e2e/receiver.js';

interface OrderData {
  readonly order: Readonly<Record<string, unknown>> & { readonly uuid: string };
  readonly contact: { readonly phone: string };
}

describe('a cart sent on WhatsApp', function () {
  this.timeout(TEST_TIMEOUT_MS);
  let product: Product;
  let receiver: WebhookReceiver;
  let shop: Shop;

  before(async () => {
    receiver = await startWebhookReceiver();
    product = await startProduct();
    const { company_uuid, integration_uuid } = product.running.credentials;
    await addWebhookEndpoint(
      product.app,
      { integrationUuid: integration_uuid!, url: receiver.url },
      { actor: 'test' },
    );
    const { app } = product;
    const company = company_uuid!;
    shop = {
      app,
      company,
      store: await storeOf(app, company),
      integration: integration_uuid!,
      key: product.key,
      keyId: '',
      channel: '',
    };
  });
  after(async () => {
    await product.close();
    await receiver.close();
    expect(product.errors).to.deep.equal([]);
  });

  async function send(id: string, items: readonly object[]): Promise<void> {
    const message = {
      id,
      from: '5511987650001',
      timestamp: String(Math.floor(Date.now() / 1000)),
      type: 'order',
      order: { catalog_id: '77', text: 'Obrigada!', product_items: items },
    };
    const value = {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '551140028922', phone_number_id: DEMO_NUMBER },
      contacts: [{ profile: { name: 'Ana' }, wa_id: '5511987650001' }],
      messages: [message],
    };
    const body = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: DEMO_WABA_ID, changes: [{ field: 'messages', value }] }],
    });
    const answer = await fetch(`${product.running.url}/providers/whatsapp/webhooks`, {
      method: 'POST',
      headers: { 'x-hub-signature-256': signWebhook(Buffer.from(body), APP_SECRET) },
      body,
    });
    expect(answer.status).to.equal(200);
  }

  const heard = (): readonly OrderData[] =>
    receiver.of('order.created').map(({ event }) => event.data as unknown as OrderData);

  it('becomes an order with its stock taken, told once; cancelling it brings the stock back', async () => {
    const mug = await addProduct(shop, { details: { import_handle: 'caneca-e2e' }, stock: 3 });
    const items = [
      { product_retailer_id: 'caneca-e2e', quantity: 2, item_price: 1, currency: 'BRL' },
    ] as const;
    await send('wamid.cart.1', items);
    const [told] = await eventually(() => (heard().length > 0 ? heard() : null), { what: 'order.created' });
    expect(told!.order).to.deep.include({ source: 'whatsapp_cart', status: 'novo', subtotal: '99.80' });
    expect(told!.contact.phone).to.equal('+5511987650001');
    expect((await stateOf(shop, mug)).stock).to.equal(1);

    // The same message again, in another webhook; then one that can't be had.
    await send('wamid.cart.1', [...items, { product_retailer_id: 'x', quantity: 1 }]);
    await send('wamid.cart.2', items);
    const conversation = told!.order['conversation_uuid'] as string;
    const notice = await eventually(
      async () => (await product.messages(conversation)).find(({ type }) => type === 'system_notice'),
      { what: 'the notice' },
    );
    expect(notice.content).to.deep.equal({ kind: 'cart_insufficient_stock' });
    expect(heard()).to.have.length(1);

    const moved = await product.ask('POST', `/store/orders/${told!.order.uuid}/status`, {
      key: product.key,
      json: { status: 'cancelado' },
    });
    expect(moved.status, moved.text).to.equal(200);
    expect((await stateOf(shop, mug)).stock).to.equal(3);
    const listed = await product.ask('GET', '/store/orders?status=cancelado', { key: product.key });
    expect((listed.body.data as { uuid: string }[]).map(({ uuid }) => uuid)).to.deep.equal([
      told!.order.uuid,
    ]);
  });
});
