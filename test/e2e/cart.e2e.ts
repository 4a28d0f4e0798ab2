/** A cart sent on WhatsApp, from the provider's webhook to the order event that the integrator receives. */
import { expect } from 'chai';
import { storeOf } from '../../application/store/gate.js';
import { addProduct, product as stateOf, type Shop } from '../application/store/orders/support.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { openedWithReceiver } from '../support/e2e/opened-product.js';
import { tell } from '../support/e2e/whatsapp.js';

interface OrderData {
  readonly order: Readonly<Record<string, unknown>> & { readonly uuid: string };
  readonly contact: { readonly phone: string };
}

describe('a cart sent on WhatsApp', function () {
  this.timeout(TEST_TIMEOUT_MS);
  let shop: Shop;

  const product = openedWithReceiver();
  before(async () => {
    const { app, company, integration, key, channel } = product;
    shop = { app, company, store: await storeOf(app, company), integration, key, keyId: '', channel };
  });

  const send = (id: string, items: readonly object[]): Promise<void> =>
    tell(product, 'messages', {
      contacts: [{ profile: { name: 'Ana' }, wa_id: '5511987650001' }],
      messages: [
        {
          id,
          from: '5511987650001',
          timestamp: String(Math.floor(Date.now() / 1000)),
          type: 'order',
          order: { catalog_id: '77', text: 'Obrigada!', product_items: items },
        },
      ],
    });

  const heard = (): readonly OrderData[] =>
    product.receiver.of('order.created').map(({ event }) => event.data as unknown as OrderData);

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

    // The same message in another webhook must not add an order. The next cart fails because its product is out of
    // stock.
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
      json: { status: 'cancelado' },
    });
    expect(moved.status, moved.text).to.equal(200);
    expect((await stateOf(shop, mug)).stock).to.equal(3);
    const listed = await product.get<{ uuid: string }[]>('/store/orders?status=cancelado');
    expect(listed.map(({ uuid }) => uuid)).to.deep.equal([told!.order.uuid]);
  });
});
