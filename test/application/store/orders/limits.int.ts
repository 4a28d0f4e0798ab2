/** Limits that a store sets on orders of visitors: orders that they refuse, and orders that they do not affect. */
import { expect } from 'chai';
import type { App } from '../../../../application/app.js';
import { mergeContacts } from '../../../../application/people/primary-contact.js';
import type { OrderInput, OrderSource } from '../../../../application/store/orders/input.js';
import { moveOrder } from '../../../../application/store/orders/move.js';
import { placeOrder } from '../../../../application/store/orders/place.js';
import type { OrderStatus } from '../../../../domain/order/status.js';
import { START } from '../../../../ports/event-store.js';
import type { Found } from '../../../../ports/read-models.js';
import { makeApi } from '../../../support/api/make-api.js';
import { addProduct, context, openShop, orderOf, product, type Shop } from './support.js';
import { openedForEach } from '../../../support/opened.js';
import { refusalOf } from '../../provisioning/workspace.js';

const MARIA = '+5511987654321';
const VISITORS = ['storefront', 'whatsapp_cart'] as const;
const SHOP = ['dashboard', 'api'] as const;

describe('limits of a store', () => {
  const api = openedForEach(makeApi);
  let mug: string;

  const open = async (limits: Parameters<typeof openShop>[1]): Promise<Shop> => {
    const shop = await openShop(api.app, limits);
    mug = await addProduct(shop, { stock: 50 });
    return shop;
  };
  const line = (productUuid: string, quantity: number, variantUuid: string | null = null) => ({
    productUuid,
    variantUuid,
    quantity,
  });
  const place = (shop: Shop, more: Partial<OrderInput> = {}, app: App = api.app) =>
    placeOrder(app, shop.store, orderOf(app, [mug], more), context(shop));
  const customer = (phone: string): OrderInput['customer'] => ({
    name: 'Maria',
    phone,
    email: null,
    document: null,
  });
  const by = (source: OrderSource, phone = MARIA) => ({ source, customer: customer(phone) });
  const move = (shop: Shop, uuid: string, ...path: readonly OrderStatus[]) =>
    path.reduce<Promise<unknown>>(
      (before, to) => before.then(() => moveOrder(api.app, shop.company, uuid, to, null, context(shop))),
      Promise.resolve(),
    );
  const refused = async (call: Promise<unknown>) => {
    const { code, details } = await refusalOf(call);
    return { code, details };
  };
  const head = async () => (await api.app.store.readAll({ after: START, limit: 10_000 })).records.length;

  describe('on units of one product in an order', () => {
    it('count all variants together, and hold for visitors alone', async () => {
      const shop = await open({ maxProductUnitsPerOrder: 3 });
      const shirt = await addProduct(shop, {
        variants: [
          { options: { Tamanho: 'P' }, sku: null, stock: 9, active: true },
          { options: { Tamanho: 'M' }, sku: null, stock: 9, active: true },
        ],
      });
      const [small, medium] = (await product(shop, shirt)).variants;
      const lines = [line(mug, 3), line(shirt, 2, small!.uuid), line(shirt, 2, medium!.uuid)];
      const before = await head();
      for (const source of VISITORS) {
        expect(await refused(place(shop, { lines, source }))).to.deep.equal({
          code: 'unit_limit_exceeded',
          details: { max: 3, items: [{ product_uuid: shirt, requested: 4 }] },
        });
      }
      expect(await head(), 'nothing is written').to.equal(before);
      for (const source of SHOP) await place(shop, { lines, source });
      await place(shop, { lines: [line(mug, 3), line(shirt, 3, small!.uuid)] });
    });
  });

  describe('on unpaid orders of a contact', () => {
    const limit = { code: 'unpaid_order_limit_reached', details: { max: 2 } };

    it('hold until one is paid or cancelled, for each person alone', async () => {
      const shop = await open({ maxUnpaidOrdersPerContact: 2 });
      const first = await place(shop, by('storefront'));
      const second = await place(shop, by('whatsapp_cart'));
      await move(shop, first.uuid, 'confirmado');
      const before = await head();
      for (const source of VISITORS) {
        expect(await refused(place(shop, by(source, '+55 11 98765-4321')))).to.deep.equal(limit);
      }
      expect(await head(), 'nothing is written').to.equal(before);
      await place(shop, by('storefront', '+5511912345678'));
      await move(shop, first.uuid, 'pago');
      await place(shop, by('storefront'));
      expect(await refused(place(shop, by('storefront')))).to.deep.equal(limit);
      await move(shop, second.uuid, 'cancelado');
      await place(shop, by('storefront'));
    });

    it('leave alone what the shop enters, and do not count it', async () => {
      const shop = await open({ maxUnpaidOrdersPerContact: 2 });
      for (const source of [...SHOP, ...VISITORS, ...SHOP]) await place(shop, by(source));
      expect(await refused(place(shop, by('storefront')))).to.deep.equal(limit);
    });

    it('answer an order that is sent again with the order', async () => {
      const shop = await open({ maxUnpaidOrdersPerContact: 1 });
      const input = orderOf(api.app, [mug], by('storefront'));
      const { uuid } = await placeOrder(api.app, shop.store, input, context(shop));
      expect((await placeOrder(api.app, shop.store, input, context(shop))).uuid).to.equal(uuid);
    });

    it('hold for orders at the same time, also of somebody new in two spellings', async () => {
      const shop = await open({ maxUnpaidOrdersPerContact: 2 });
      const phones = [MARIA, '+55 (11) 98765-4321', MARIA, MARIA, '+55 11 987654321'];
      const all = await Promise.allSettled(phones.map((phone) => place(shop, by('storefront', phone))));
      expect(all.filter(({ status }) => status === 'fulfilled')).to.have.length(2);
      expect((await product(shop, mug)).stock).to.equal(48);
    });

    it('count orders of a contact that was merged into this one', async () => {
      const shop = await open({ maxUnpaidOrdersPerContact: 1 });
      const entered = await place(shop, by('dashboard', '+5511912345678'));
      const bought = await place(shop, by('storefront'));
      const pair = [entered.order.placed!.contact_uuid!, bought.order.placed!.contact_uuid!] as const;
      await mergeContacts(api.app, shop.company, pair, 'manual', context(shop));
      for (const phone of [MARIA, '+5511912345678']) {
        const { code } = await refused(place(shop, by('storefront', phone)));
        expect(code, phone).to.equal('unpaid_order_limit_reached');
      }
    });

    /**
     * A process that remembers no orders, and whose read model of a contact's orders returns what `shown` makes of it.
     */
    const processThat = (shown: (found: Found<unknown>) => Found<unknown>): App => ({
      ...api.app,
      executor: { ...api.app.executor },
      readModels: {
        ...api.app.readModels,
        find: async (collection, query) => {
          const found = await api.app.readModels.find(collection, query);
          return (query.index === 'by_contact' ? shown(found) : found) as never;
        },
      },
    });

    it('ask the streams where the read model still shows an order as unpaid', async () => {
      const shop = await open({ maxUnpaidOrdersPerContact: 1 });
      const { uuid } = await place(shop, by('storefront'));
      await move(shop, uuid, 'cancelado');
      const behind = processThat(({ documents, next }) => ({
        documents: documents.map(({ doc, ...rest }) => ({
          ...rest,
          doc: { ...(doc as object), status: 'novo' },
        })),
        next,
      }));
      await place(shop, by('storefront'), behind);
    });

    it('hold for the orders of one process where the read model shows none yet', async () => {
      const shop = await open({ maxUnpaidOrdersPerContact: 2 });
      const behind = processThat(() => ({ documents: [], next: null }));
      for (let n = 0; n < 2; n += 1) await place(shop, by('storefront'), behind);
      expect(await refused(place(shop, by('storefront'), behind))).to.deep.equal(limit);
      // Another process counts the orders in the read model.
      const other = processThat((found) => found);
      expect(await refused(place(shop, by('storefront'), other))).to.deep.equal(limit);
    });
  });
});
