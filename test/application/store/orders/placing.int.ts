/** Orders as they are placed, moved and shown; every response is validated against the contract. */
import { expect } from 'chai';
import { placeOrder } from '../../../../application/store/orders/place.js';
import { quoteOrder } from '../../../../application/store/orders/quote.js';
import type { OrderInput } from '../../../../application/store/orders/input.js';
import { START } from '../../../../ports/event-store.js';
import { ask } from '../../../support/api/client.js';
import { makeApi } from '../../../support/api/make-api.js';
import { disconnectChannel, issueKey } from '../../../support/api/world.js';
import {
  ADDRESS,
  addProduct,
  changeProduct,
  context,
  deleteProduct,
  openShop,
  orderOf,
  product,
} from './support.js';
import { openedForEach } from '../../../support/opened.js';
import { refusalOf } from '../../provisioning/workspace.js';

interface Shown {
  readonly [field: string]: unknown;
  readonly uuid: string;
  readonly number: number;
  readonly status: string;
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

describe('orders of a store', () => {
  const api = openedForEach(makeApi);
  const shop = openedForEach(() => openShop(api.app));

  const place = (input: OrderInput, by = shop) => placeOrder(api.app, by.store, input, context(by));
  const buy = (lines: Parameters<typeof orderOf>[1], more: Partial<OrderInput> = {}) =>
    place(orderOf(api.app, lines, more));
  const get = async (path: string, key = shop.key) => {
    const answer = await ask(api, 'GET', path, { key });
    expect(answer.status, answer.text).to.equal(200);
    return answer.body;
  };
  const shown = async (uuid: string) => (await get(`/store/orders/${uuid}`)).data as Shown;
  const move = (uuid: string, status: string, key = shop.key) =>
    ask(api, 'POST', `/store/orders/${uuid}/status`, { key, json: { status } });

  const written = async () =>
    (await api.app.store.readAll({ after: START, limit: 10_000 })).records.map(({ type }) => type);

  it('keeps what was bought as it was, whatever becomes of the product', async () => {
    const shirt = await addProduct(shop, {
      details: { name: 'Camiseta', ncm: '61091000', import_handle: 'camiseta', promo_price_cents: 4490 },
      variants: [
        { options: { Tamanho: 'P', Cor: 'Azul' }, sku: 'CAM-P', stock: 5, active: true },
        { options: { Tamanho: 'M', Cor: 'Azul' }, sku: 'CAM-M', stock: null, active: true },
      ],
    });
    const [small, medium] = (await product(shop, shirt)).variants;
    const { uuid } = await buy(
      [
        { productUuid: shirt, variantUuid: small!.uuid, quantity: 2, note: 'para presente' },
        { productUuid: shirt, variantUuid: medium!.uuid, quantity: 1 },
      ],
      {
        fulfillment: 'delivery',
        address: ADDRESS,
        note: 'Entregar à tarde.',
        tracking: { utm_source: 'instagram' },
      },
    );
    await changeProduct(shop, shirt, { details: { name: 'Outra', price_cents: 9990 } });
    await deleteProduct(shop, shirt);

    const order = await shown(uuid);
    expect(order).to.deep.include({
      number: 1001,
      code: '#1001',
      status: 'novo',
      allowed_statuses: ['confirmado', 'cancelado'],
      source: 'storefront',
      subtotal: '134.70',
      discount: '0.00',
      delivery_fee: '12.00',
      total: '146.70',
      note: 'Entregar à tarde.',
      tracking: { utm_source: 'instagram' },
      fulfillment: { type: 'delivery', address: ADDRESS, pickup_location: null },
    });
    expect(order.items[0]).to.deep.include({
      product_uuid: shirt,
      variant_uuid: small!.uuid,
      product_deleted: true,
      import_handle: 'camiseta',
      sku: 'CAM-P',
      ncm: '61091000',
      name: 'Camiseta',
      variant_name: 'P / Azul',
      options: { Tamanho: 'P', Cor: 'Azul' },
      quantity: 2,
      list_price: '49.90',
      unit_price: '44.90',
      total: '89.80',
      note: 'para presente',
      stock_tracked: true,
      stock_taken: 2,
      image_url: null,
    });
    expect(order.items[1]).to.deep.include({ stock_tracked: false, stock_taken: 0 });
  });

  it('numbers the orders of each store from 1001', async () => {
    const other = await openShop(api.app);
    const mine = await addProduct(shop);
    const theirs = await addProduct(other);
    const numbers: number[] = [];
    for (let n = 0; n < 3; n += 1) numbers.push((await buy([mine])).order.placed!.number);
    expect(numbers).to.deep.equal([1001, 1002, 1003]);
    expect((await place(orderOf(api.app, [theirs]), other)).order.placed!.number).to.equal(1001);
    const many = await Promise.all(Array.from({ length: 20 }, () => buy([mine])));
    expect(many.map(({ order }) => order.placed!.number).sort()).to.deep.equal(
      Array.from({ length: 20 }, (_, n) => 1004 + n),
    );
  });

  it('lists them newest first, by status, page by page', async () => {
    const mug = await addProduct(shop);
    const placed = [await buy([mug]), await buy([mug]), await buy([mug])].map(({ uuid }) => uuid);
    await move(placed[1]!, 'confirmado');
    const uuids = async (query: string) => {
      const { data, meta } = await get(`/store/orders${query}`);
      return { uuids: (data as Shown[]).map(({ uuid }) => uuid), next: meta!.next_cursor };
    };
    expect((await uuids('')).uuids).to.deep.equal([...placed].reverse());
    expect((await uuids('?status=novo')).uuids).to.deep.equal([placed[2], placed[0]]);
    expect((await uuids('?status=confirmado')).uuids).to.deep.equal([placed[1]]);
    expect((await uuids('?status=pago')).uuids).to.deep.equal([]);
    const first = await uuids('?limit=2');
    expect((await uuids(`?limit=2&after=${first.next}`)).uuids).to.deep.equal([placed[0]]);
    expect((await ask(api, 'GET', '/store/orders?status=new', { key: shop.key })).status).to.equal(422);
  });

  it('gives a Pix code for the total where it is paid by Pix', async () => {
    const mug = await addProduct(shop);
    const { uuid } = await buy([mug], { payment: { method: 'pix' } });
    const { payment } = (await shown(uuid)) as unknown as {
      payment: { method: string; pix: { copy_paste: string; txid: string; expires_at: null } };
    };
    expect(payment.method).to.equal('pix');
    expect(payment.pix.txid).to.equal('1001');
    expect(payment.pix.copy_paste).to.include('540549.90').and.to.include('6009Sao Paulo');
    expect((await shown((await buy([mug])).uuid))['payment']).to.deep.include({ pix: null });
  });

  it('tells the conversation with the buyer, in a message that is not sent', async () => {
    const mug = await addProduct(shop);
    const { uuid, order } = await buy([mug], { tracking: { utm_source: 'instagram' } });
    const { contact_uuid, conversation_uuid } = order.placed!;
    const contact = (await get(`/contacts/${contact_uuid}`)).data as Record<string, unknown>;
    expect(contact).to.deep.include({ name: 'Maria Souza', custom_fields: { utm_source: 'instagram' } });
    const messages = (await get(`/conversations/${conversation_uuid}/messages`)).data as object[];
    expect(messages).to.have.length(1);
    expect(messages[0]).to.deep.include({ type: 'store_order', status: 'note', direction: 'outbound' });
    expect(messages[0]).to.have.property('content').that.deep.includes({
      order_uuid: uuid,
      number: 1001,
      code: '#1001',
      total: '49.90',
    });
    expect(await written()).to.not.include('MessageQueued');
  });

  it('does without a conversation where no channel works', async () => {
    await disconnectChannel(api.app, shop, shop.channel);
    const { order } = await buy([await addProduct(shop)]);
    expect(order.placed).to.deep.include({ conversation_uuid: null });
    expect(order.placed!.contact_uuid).to.be.a('string');
  });

  it('is one order however often it is placed under one name', async () => {
    const last = await addProduct(shop, { stock: 1 });
    const input = orderOf(api.app, [last]);
    const all = await Promise.all(Array.from({ length: 8 }, () => place(input)));
    expect(new Set(all.map(({ uuid }) => uuid))).to.deep.equal(new Set([input.orderUuid]));
    expect(new Set(all.map(({ order }) => order.placed!.number))).to.have.property('size', 1);
    expect((await place(input)).uuid).to.equal(input.orderUuid);
    const events = await written();
    expect(events.filter((type) => type === 'OrderPlaced')).to.have.length(1);
    expect(events.filter((type) => type === 'StockTaken')).to.have.length(1);
    expect((await buy([await addProduct(shop)])).order.placed!.number, 'none is left out').to.equal(1002);
  });

  it('holds nothing for the cart that lost where two were placed under one name', async () => {
    const [one, other] = [await addProduct(shop, { stock: 5 }), await addProduct(shop, { stock: 5 })];
    const orderUuid = api.app.newId();
    const input = (line: string) => ({ ...orderOf(api.app, [line]), orderUuid });
    const [a, b] = await Promise.all([place(input(one)), place(input(other))]);
    expect(a.order.placed!.items).to.deep.equal(b.order.placed!.items);
    const left = [(await product(shop, one)).stock, (await product(shop, other)).stock];
    expect(left.sort()).to.deep.equal([4, 5]);
  });

  describe('refused', () => {
    let before: number;
    let mug: string;
    beforeEach(async () => {
      mug = await addProduct(shop, { stock: 3 });
      before = (await written()).length;
    });
    const untouched = async () => {
      expect((await written()).length, 'nothing is written').to.equal(before);
      expect(await api.app.dueTimes.count('order-placing')).to.equal(0);
    };
    const refused = async (input: OrderInput) => {
      const { code, details } = await refusalOf(place(input));
      await untouched();
      return { code, details };
    };
    const line = (productUuid: string, quantity: number, variantUuid: string | null = null) => ({
      productUuid,
      variantUuid,
      quantity,
    });

    it('more than there is, lines of one product together', async () => {
      expect(await refused(orderOf(api.app, [line(mug, 2), line(mug, 2)]))).to.deep.equal({
        code: 'insufficient_stock',
        details: { items: [{ product_uuid: mug, variant_uuid: null, requested: 4, available: 3 }] },
      });
    });

    it('what is not for sale', async () => {
      const other = await openShop(api.app);
      const theirs = await addProduct(other);
      const off = await addProduct(shop, { details: { active: false } });
      const gone = await addProduct(shop);
      await deleteProduct(shop, gone);
      const choice = await addProduct(shop, {
        variants: [
          { options: { Cor: 'Azul' }, stock: 1, active: true },
          { options: { Cor: 'Preto' }, stock: 1, active: false },
        ],
      });
      const black = (await product(shop, choice)).variants[1]!.uuid;
      before = (await written()).length;
      const lines = [
        line(api.app.newId(), 1),
        line(theirs, 1),
        line(off, 1),
        line(gone, 1),
        line(choice, 1),
        line(choice, 1, black),
        line(mug, 1, black),
      ];
      const { code, details } = await refused(orderOf(api.app, [...lines, mug]));
      expect(code).to.equal('product_unavailable');
      const reasons = [
        'product_not_found',
        'product_not_found',
        'product_inactive',
        'product_not_found',
        'variant_required',
        'variant_inactive',
        'variant_not_found',
      ];
      expect(details['items']).to.deep.equal(
        lines.map(({ productUuid, variantUuid }, index) => ({
          product_uuid: productUuid,
          variant_uuid: variantUuid,
          reason: reasons[index],
        })),
      );
    });

    it('a total that is not what was shown', async () => {
      expect(await refused(orderOf(api.app, [mug], { expectedTotalCents: 4900 }))).to.deep.equal({
        code: 'price_changed',
        details: { expected_total: '49.00', total: '49.90' },
      });
    });

    it('what the store does not offer a buyer', async () => {
      const far = { ...ADDRESS, zipcode: '69000-000' };
      const delivery = orderOf(api.app, [mug], { fulfillment: 'delivery', address: far });
      expect((await refused(delivery)).code).to.equal('delivery_unavailable');
      const card = orderOf(api.app, [mug], { payment: { method: 'card' } });
      expect(await refused(card)).to.deep.equal({
        code: 'payment_method_unavailable',
        details: { method: 'card', offered: ['pix', 'cash'] },
      });
    });

    it('what is no order', async () => {
      for (const lines of [[], [line(mug, 0)], [line(mug, 1.5)], [line(mug, 1_000_001)]]) {
        expect((await refused(orderOf(api.app, lines))).code).to.equal('validation_failed');
      }
      const nobody = { name: null, phone: null, email: null, document: null };
      expect((await refused(orderOf(api.app, [mug], { customer: nobody }))).code).to.equal(
        'validation_failed',
      );
    });
  });

  it('prices a cart without writing anything', async () => {
    const mug = await addProduct(shop, { stock: 1 });
    const before = (await written()).length;
    const lines = [
      { productUuid: mug, variantUuid: null, quantity: 2 },
      { productUuid: api.app.newId(), variantUuid: null, quantity: 1 },
    ];
    const quote = await quoteOrder(api.app, shop.store, lines, 'delivery', '01310100');
    expect(quote.lines.map(({ problem }) => problem)).to.deep.equal([
      'insufficient_stock',
      'product_unavailable',
    ]);
    expect(quote).to.include({
      subtotalCents: 9980,
      deliveryFeeCents: 1200,
      totalCents: 11_180,
      orderable: false,
    });
    const of = (quantity: number, zipcode: string | null) =>
      quoteOrder(
        api.app,
        shop.store,
        [{ productUuid: mug, variantUuid: null, quantity }],
        'delivery',
        zipcode,
      );
    expect(await of(1, null)).to.include({ orderable: true, deliveryFeeCents: 1200 });
    expect(await of(1, '69000000')).to.include({ orderable: false, deliveryFeeCents: null });
    expect(await of(5, '02000000')).to.include({ deliveryFeeCents: 0, totalCents: 24_950 });
    expect((await written()).length).to.equal(before);
  });

  describe('moved', () => {
    it('along the table of spec §3 and nowhere else, with who did it', async () => {
      const mug = await addProduct(shop);
      const statuses = ['confirmado', 'pago', 'entregue', 'cancelado'];
      const table: Record<string, readonly string[]> = {
        novo: ['confirmado', 'cancelado'],
        confirmado: ['pago', 'cancelado'],
        pago: ['entregue', 'cancelado'],
        entregue: [],
        cancelado: [],
      };
      const path: Record<string, readonly string[]> = {
        novo: [],
        confirmado: ['confirmado'],
        pago: ['confirmado', 'pago'],
        entregue: ['confirmado', 'pago', 'entregue'],
        cancelado: ['cancelado'],
      };
      for (const [from, allowed] of Object.entries(table)) {
        for (const to of statuses) {
          const { uuid } = await buy([mug]);
          for (const step of path[from]!) expect((await move(uuid, step)).status).to.equal(200);
          const answer = await move(uuid, to);
          if (allowed.includes(to)) {
            expect(answer.status, `${from} → ${to}`).to.equal(200);
            expect(answer.body.data).to.include({ status: to });
          } else {
            expect(answer.status, `${from} → ${to}`).to.equal(422);
            expect(answer.body.error).to.deep.include({
              code: 'invalid_status_transition',
              details: { from, to, allowed },
            });
          }
        }
      }
      const { uuid, order } = await buy([mug]);
      await move(uuid, 'confirmado');
      const { data } = (await move(uuid, 'pago')).body as { data: Record<string, unknown> };
      const history = data['status_history'] as readonly Record<string, unknown>[];
      expect(history.map(({ status }) => status)).to.deep.equal(['novo', 'confirmado', 'pago']);
      expect(history.map(({ by }) => by)).to.deep.equal([
        { type: 'customer', id: order.placed!.contact_uuid },
        { type: 'api_key', id: shop.keyId },
        { type: 'api_key', id: shop.keyId },
      ]);
      expect(data).to.nested.include({ 'payment.paid_at': data['updated_at'] });
      expect(data['allowed_statuses']).to.deep.equal(['entregue', 'cancelado']);
    });

    it('to cancelled: says that nothing is back where every product is gone or counts no more', async () => {
      const gone = await addProduct(shop, { stock: 3 });
      const uncounted = await addProduct(shop, { stock: 3 });
      const { uuid } = await buy([gone, uncounted]);
      await deleteProduct(shop, gone);
      await changeProduct(shop, uncounted, { stock: null });
      const answer = await move(uuid, 'cancelado');
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.body.data).to.deep.include({ status: 'cancelado', stock_restored_at: null });
      expect((await product(shop, uncounted)).stock).to.equal(null);
    });

    it('to cancelled: what was counted is back, the rest is not', async () => {
      const counted = await addProduct(shop, { stock: 3 });
      const uncounted = await addProduct(shop);
      const gone = await addProduct(shop, { stock: 3 });
      const { uuid } = await buy([counted, uncounted, gone]);
      await deleteProduct(shop, gone);
      expect((await product(shop, counted)).stock).to.equal(2);
      const answer = await move(uuid, 'cancelado');
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.body.data).to.have.property('stock_restored_at').that.is.a('string');
      expect((await product(shop, counted)).stock).to.equal(3);
      expect((await product(shop, uncounted)).stock).to.equal(null);
      expect((await move(uuid, 'cancelado')).body.error).to.deep.include({
        code: 'invalid_status_transition',
        details: { from: 'cancelado', to: 'cancelado', allowed: [] },
      });
      expect((await product(shop, counted)).stock, 'once').to.equal(3);
    });

    it('only by who may, and only their own', async () => {
      const { uuid } = await buy([await addProduct(shop)]);
      const other = await openShop(api.app);
      const reader = await issueKey(api.app, shop.integration, ['store:read']);
      expect((await move(uuid, 'confirmado', other.key)).status).to.equal(404);
      expect((await ask(api, 'GET', `/store/orders/${uuid}`, { key: other.key })).status).to.equal(404);
      expect((await move(api.app.newId(), 'confirmado')).status).to.equal(404);
      const denied = await move(uuid, 'confirmado', reader.apiKey);
      expect(denied.body.error).to.include({ code: 'insufficient_scope' });
      expect((await move(uuid, 'novo')).body.error).to.include({ code: 'validation_failed' });
      expect((await shown(uuid)).status).to.equal('novo');
    });
  });
});
