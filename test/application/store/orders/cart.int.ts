/** WhatsApp carts, the order events that integrators receive, and the remains of an order whose buyer was erased. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { eraseContact } from '../../../../application/provisioning/erase-contact.js';
import { placeOrder } from '../../../../application/store/orders/place.js';
import { relay, NOTIFICATIONS, ORDERS } from '../../../../application/relay.js';
import { storeAggregate } from '../../../../domain/store/decide.js';
import type { StoreSettings } from '../../../../domain/store/settings.js';
import { messageStream, orderStream } from '../../../../domain/streams.js';
import { loadContract } from '../../../../api/contract.js';
import { envelopeFor } from '../../../../workers/notifications/envelope.js';
import { webhookTypeOf, type NotifiableEvent } from '../../../../workers/notifications/event-kind.js';
import { follow } from '../../../../workers/store/orders.js';
import { webhookCollections } from '../../../../workers/webhooks/documents.js';
import { ask } from '../../../support/api/client.js';
import { makeApi } from '../../../support/api/make-api.js';
import { addContact, addConversation, addInboundMessage } from '../../../support/api/world.js';
import { ADDRESS, addProduct, changeProduct, context, openShop, orderOf, product } from './support.js';
import { opened, openedForEach } from '../../../support/opened.js';

interface CartItem {
  readonly product_retailer_id: string;
  readonly quantity: number;
}

describe('a cart on WhatsApp', () => {
  let contact: string;
  let conversation: string;
  const api = openedForEach(makeApi);
  const shop = openedForEach(() => openShop(api.app));
  beforeEach(async () => {
    contact = await addContact(api.app, shop, { phone: '+5511987654321', name: 'Maria' });
    conversation = await addConversation(api.app, shop, contact);
  });

  /** Records the message, and returns what the topic of orders receives for it. */
  async function receive(items: readonly CartItem[], type = 'order') {
    const uuid = await addInboundMessage(
      api.app,
      shop,
      { contact, conversation },
      {
        type,
        content: {
          catalog_id: '1',
          text: 'Sem pressa',
          items: items.map((item) => ({ ...item, item_price: 0.01, currency: 'BRL' })),
        },
      },
    );
    const [record] = await api.app.store.read(messageStream.toName(uuid));
    return relay(record!).filter(({ topic }) => topic === ORDERS);
  }

  const work = async (items: readonly CartItem[]) => {
    const [told] = await receive(items);
    await follow(api.app, told!.value as never);
    return told!.value as never;
  };
  const orders = async () =>
    (await ask(api, 'GET', '/store/orders', { key: shop.key })).body.data as Record<string, unknown>[];
  const messages = async () =>
    (await ask(api, 'GET', `/conversations/${conversation}/messages`, { key: shop.key })).body.data as Record<
      string,
      unknown
    >[];
  const notices = async () =>
    (await messages()).filter(({ type }) => type === 'system_notice').map(({ content }) => content);

  it('is an order at our prices, once, whatever names the items', async () => {
    const byHandle = await addProduct(shop, { details: { import_handle: 'caneca' }, stock: 5 });
    const bySku = await addProduct(shop, { details: { sku: 'CHA-01', price_cents: 1000 } });
    const byUuid = await addProduct(shop, { details: { price_cents: 300 } });
    const shirt = await addProduct(shop, {
      variants: [
        { options: { Tamanho: 'P' }, sku: 'CAM-P', stock: 2, active: true },
        { options: { Tamanho: 'M' }, sku: null, stock: 2, active: true },
      ],
    });
    const [small, medium] = (await product(shop, shirt)).variants;
    const pointer = await work([
      { product_retailer_id: 'caneca', quantity: 2 },
      { product_retailer_id: 'CHA-01', quantity: 1 },
      { product_retailer_id: byUuid.toUpperCase(), quantity: 1 },
      { product_retailer_id: 'CAM-P', quantity: 1 },
      { product_retailer_id: medium!.uuid, quantity: 1 },
    ]);
    await follow(api.app, pointer);

    const [order, ...more] = await orders();
    expect(more).to.deep.equal([]);
    expect(order).to.deep.include({
      source: 'whatsapp_cart',
      contact_uuid: contact,
      conversation_uuid: conversation,
      note: 'Sem pressa',
      subtotal: '212.60',
      delivery_fee: '0.00',
      fulfillment: { type: 'delivery', address: null, pickup_location: null },
    });
    expect(order!['customer']).to.include({ name: 'Maria', phone: '+5511987654321' });
    const items = order!['items'] as Record<string, unknown>[];
    expect(items.map(({ product_uuid }) => product_uuid)).to.deep.equal([
      byHandle,
      bySku,
      byUuid,
      shirt,
      shirt,
    ]);
    expect(items.map(({ variant_uuid }) => variant_uuid)).to.deep.equal([
      null,
      null,
      null,
      small!.uuid,
      medium!.uuid,
    ]);
    expect((await product(shop, byHandle)).stock).to.equal(3);
    expect((await messages()).map(({ type }) => type)).to.deep.equal(['store_order', 'order']);
    expect(await notices()).to.deep.equal([]);
  });

  it('that can not be ordered says why in the conversation, once, and takes nothing', async () => {
    const mug = await addProduct(shop, { details: { import_handle: 'caneca' }, stock: 1 });
    const other = await openShop(api.app);
    await addProduct(other, { details: { import_handle: 'alheia' } });
    await addProduct(shop, { details: { import_handle: 'parada', active: false } });
    for (const name of ['Caneca', 'Copo']) await addProduct(shop, { details: { name, sku: 'DUAS' } });
    const cases: readonly (readonly [readonly CartItem[], string])[] = [
      [[{ product_retailer_id: 'nada', quantity: 1 }], 'cart_product_unknown'],
      [[{ product_retailer_id: 'alheia', quantity: 1 }], 'cart_product_unknown'],
      [[{ product_retailer_id: 'parada', quantity: 1 }], 'cart_product_unavailable'],
      [[{ product_retailer_id: 'DUAS', quantity: 1 }], 'cart_product_ambiguous'],
      [[{ product_retailer_id: 'caneca', quantity: 2 }], 'cart_insufficient_stock'],
      [[{ product_retailer_id: 'caneca', quantity: 0 }], 'cart_not_ordered'],
      [[], 'cart_not_ordered'],
    ];
    for (const [items, kind] of cases) {
      const before = (await notices()).length;
      const pointer = await work(items);
      await follow(api.app, pointer);
      expect(await notices(), kind).to.have.length(before + 1);
      expect((await notices())[0]).to.deep.equal({ kind });
      const named = (await messages()).map((message) => message['provider_message_id']);
      const ids = named.filter((id) => id !== null);
      expect(new Set(ids).size, 'no two messages with one id').to.equal(ids.length);
      if (kind !== 'cart_insufficient_stock') continue;
      // A notice to the customer stands, even if the product is in stock when the cart is processed again.
      await changeProduct(shop, mug, { stock: 9 });
      await follow(api.app, pointer);
      await changeProduct(shop, mug, { stock: 1 });
    }
    expect(await orders()).to.deep.equal([]);
    expect((await product(shop, mug)).stock).to.equal(1);
    await api.app.executor.execute(
      storeAggregate,
      shop.store.uuid,
      { type: 'ChangeStore', settings: { status: 'paused' } },
      context(shop),
    );
    await work([{ product_retailer_id: 'caneca', quantity: 1 }]);
    expect((await notices())[0]).to.deep.equal({ kind: 'cart_store_unavailable' });
  });

  it('beyond a limit of the store says which one in the conversation', async () => {
    const mug = await addProduct(shop, { details: { import_handle: 'caneca' }, stock: 9 });
    const limit = (settings: Partial<StoreSettings>) =>
      api.app.executor.execute(
        storeAggregate,
        shop.store.uuid,
        { type: 'ChangeStore', settings },
        context(shop),
      );
    await limit({ maxProductUnitsPerOrder: 2, maxUnpaidOrdersPerContact: 1 });
    await work([{ product_retailer_id: 'caneca', quantity: 3 }]);
    expect((await notices())[0]).to.deep.equal({ kind: 'cart_unit_limit_exceeded' });
    const pointer = await work([{ product_retailer_id: 'caneca', quantity: 2 }]);
    await follow(api.app, pointer);
    await work([{ product_retailer_id: 'caneca', quantity: 1 }]);
    expect((await notices())[0]).to.deep.equal({ kind: 'cart_unpaid_order_limit_reached' });
    expect(await notices()).to.have.length(2);
    expect(await orders()).to.have.length(1);
    expect((await product(shop, mug)).stock).to.equal(7);
  });

  it('means the product on sale where others have its SKU too', async () => {
    const off = (name: string) => addProduct(shop, { details: { name, sku: 'MESMO', active: false } });
    await off('Um');
    const sold = await addProduct(shop, { details: { name: 'Dois', sku: 'MESMO' } });
    await off('Três');
    await work([{ product_retailer_id: 'MESMO', quantity: 1 }]);
    const [order] = await orders();
    expect(
      (order!['items'] as { product_uuid: string }[]).map(({ product_uuid }) => product_uuid),
    ).to.deep.equal([sold]);
    await changeProduct(shop, sold, { details: { active: false } });
    await work([{ product_retailer_id: 'MESMO', quantity: 1 }]);
    expect((await notices())[0]).to.deep.equal({ kind: 'cart_product_unavailable' });
  });

  it('comes back while the store can not be reached or is contended, and leaves no notice then', async () => {
    await addProduct(shop, { details: { import_handle: 'caneca' }, stock: 1 });
    const [told] = await receive([{ product_retailer_id: 'caneca', quantity: 1 }]);
    const { executor } = api.app;
    const away = {
      ...api.app,
      executor: {
        ...executor,
        execute: (aggregate: { stream: { category: string } }, ...rest: unknown[]) =>
          aggregate.stream.category === 'product'
            ? Promise.reject(new Error('away'))
            : (executor.execute as (...all: unknown[]) => unknown)(aggregate, ...rest),
      } as typeof executor,
    };
    const failed = await follow(away, told!.value as never).catch((error: Error) => error.message);
    expect(failed).to.equal('away');
    expect(await notices()).to.deep.equal([]);
    await follow(api.app, told!.value as never);
    expect(await orders()).to.have.length(1);
  });

  it('is what the topic of orders is told of, and other messages are not', async () => {
    expect(await receive([], 'text')).to.deep.equal([]);
    expect(await receive([])).to.have.length(1);
  });
});

function expectToFit(schema: string, body: unknown): void {
  const ajv = new Ajv2020({ strict: false, formats: { int32: true, int64: true } });
  addFormats.default(ajv);
  ajv.addSchema({ ...loadContract().document, $id: 'contract' });
  const validate = ajv.compile({ $ref: `contract#/components/schemas/${schema}` });
  expect(validate(body), ajv.errorsText(validate.errors)).to.equal(true);
}

describe('an order and those who hear of it', () => {
  const api = opened(makeApi);
  const shop = opened(() => openShop(api.app));

  const placed = () =>
    addProduct(shop).then((mug) =>
      placeOrder(
        api.app,
        shop.store,
        orderOf(api.app, [{ productUuid: mug, variantUuid: null, quantity: 1, note: 'Gravar: Ana' }], {
          fulfillment: 'delivery',
          address: ADDRESS,
          note: 'Campainha quebrada',
          payment: { method: 'pix' },
          tracking: { utm_source: 'instagram' },
        }),
        context(shop),
      ),
    );

  it('order.created holds the whole order and its buyer, as the contract has it', async () => {
    const { uuid, order } = await placed();
    const records = await api.app.store.read(orderStream.toName(uuid));
    expect(relay(records[0]!).map(({ topic }) => topic)).to.deep.equal([NOTIFICATIONS]);
    const history = await api.app.codec.decodeAll<NotifiableEvent>(records);
    expect(webhookTypeOf(history)).to.equal('order.created');
    const envelope = await envelopeFor(api.app, {
      eventId: api.app.newId(),
      type: 'order.created',
      history,
      integrationUuid: shop.integration,
    });
    const body = JSON.parse(envelope!.body) as { data: Record<string, unknown> };
    expectToFit('OrderCreatedEvent', body);
    const shown = (await ask(api, 'GET', `/store/orders/${uuid}`, { key: shop.key })).body.data;
    expect(body.data['order']).to.deep.equal(shown);
    expect(body.data['contact']).to.include({ uuid: order.placed!.contact_uuid });
    expect(body.data['tracking']).to.deep.equal({ utm_source: 'instagram' });
    expect(envelope!.contactUuid).to.equal(order.placed!.contact_uuid);
  });

  it('stays readable when its buyer is erased, without what was personal', async () => {
    for (const spec of webhookCollections) await api.app.readModels.define(spec);
    const { uuid, order } = await placed();
    const before = await ask(api, 'GET', `/store/orders/${uuid}`, { key: shop.key });
    expect(before.body.data).to.have.nested.property('items[0].note', 'Gravar: Ana');
    const erased = await eraseContact(
      api.app,
      { contactUuid: order.placed!.contact_uuid! },
      { actor: 'admin' },
    );
    expect(erased.rewritten).to.include({ orders: 1, messages: 1 });
    const answer = await ask(api, 'GET', `/store/orders/${uuid}`, { key: shop.key });
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.body.data).to.deep.include({
      customer: { name: null, phone: null, email: null, document: null },
      note: null,
      total: '61.90',
      status: 'novo',
    });
    expect(answer.body.data).to.deep.nested.include({
      'fulfillment.type': 'delivery',
      'fulfillment.address': null,
    });
    for (const secret of ['Maria', ADDRESS.street, 'Campainha', 'Gravar', 'maria@example.com']) {
      expect(answer.text).to.not.include(secret);
    }
    const moved = await ask(api, 'POST', `/store/orders/${uuid}/status`, {
      key: shop.key,
      json: { status: 'cancelado' },
    });
    expect(moved.status, moved.text).to.equal(200);
  });
});
