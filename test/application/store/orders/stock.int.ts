/** Stock under concurrent orders, cancellations and changes: nothing is sold twice, and nothing is lost. */
import { expect } from 'chai';
import fc from 'fast-check';
import { moveOrder, restoreStock } from '../../../../application/store/orders/move.js';
import { placeOrder } from '../../../../application/store/orders/place.js';
import type { OrderLine, PlacedOrder } from '../../../../application/store/orders/input.js';
import { Refusal } from '../../../../domain/kernel/refusal.js';
import { orderAggregate } from '../../../../domain/order/decide.js';
import type { OrderEvent } from '../../../../domain/order/events.js';
import type { ProductEvent } from '../../../../domain/product/events.js';
import { productStream } from '../../../../domain/streams.js';
import { START } from '../../../../ports/event-store.js';
import { makeApi } from '../../../support/api/make-api.js';
import { addProduct, changeProduct, context, deleteProduct, openShop, orderOf, product } from './support.js';
import { opened } from '../../../support/opened.js';
import { runs } from '../../../support/soak.js';

describe('stock and orders', () => {
  const api = opened(makeApi);
  const shop = opened(() => openShop(api.app));

  const buy = (lines: readonly (OrderLine | string)[]) =>
    placeOrder(api.app, shop.store, orderOf(api.app, lines), context(shop));
  const cancel = (uuid: string) => moveOrder(api.app, shop.company, uuid, 'cancelado', null, context(shop));
  const units = (productUuid: string, quantity: number): OrderLine => ({
    productUuid,
    variantUuid: null,
    quantity,
  });
  const historyOf = async (uuid: string) =>
    (await api.app.codec.decodeAll<ProductEvent>(await api.app.store.read(productStream.toName(uuid)))).map(
      ({ event }) => event,
    );
  /** The result, or null when the call was refused with one of these codes. Other errors are thrown. */
  async function unless<T>(codes: readonly string[], work: Promise<T>): Promise<T | null> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof Refusal && codes.includes(error.code)) return null;
      throw error;
    }
  }

  it('a hundred buyers of the last one: one order', async () => {
    const last = await addProduct(shop, { stock: 1 });
    const all = await Promise.all(
      Array.from({ length: 100 }, () => unless(['insufficient_stock'], buy([last]))),
    );
    expect(all.filter((order) => order !== null)).to.have.length(1);
    expect((await product(shop, last)).stock).to.equal(0);
    expect((await historyOf(last)).map(({ type }) => type)).to.deep.equal(['ProductCreated', 'StockTaken']);
  });

  it('all of a cart or nothing: what was taken before the refusal is back', async () => {
    const products = (await Promise.all([1, 2, 3].map(() => addProduct(shop, { stock: 5 })))).sort();
    // The third product sells out between the check and the taking of stock, which happens product by product.
    const [first, , third] = products;
    const { app } = api;
    const beaten = { ...app, executor: { ...app.executor } };
    let rival: Promise<PlacedOrder> | undefined;
    beaten.executor.execute = async (aggregate, id, command, by) => {
      if (id === third && (command as { type: string }).type === 'TakeStock') {
        rival ??= buy([units(third, 5)]);
        await rival;
      }
      return app.executor.execute(aggregate, id, command, by);
    };
    const input = orderOf(app, products);
    const refused = await unless(
      ['insufficient_stock'],
      placeOrder(beaten, shop.store, input, context(shop)),
    );
    expect(refused).to.equal(null);
    expect((await product(shop, first!)).stock).to.equal(5);
    expect((await product(shop, third!)).stock).to.equal(0);
    expect(await app.dueTimes.count('order-placing'), 'nothing is left to tidy').to.equal(0);
    // A refusal does not use up the form: with the goods back in stock, it places an order, under another uuid.
    await cancel((await rival!).uuid);
    const again = await placeOrder(app, shop.store, input, context(shop));
    expect(again.uuid).to.not.equal(input.orderUuid);
    expect((await placeOrder(app, shop.store, input, context(shop))).uuid).to.equal(again.uuid);
    expect(await Promise.all(products.map(async (uuid) => (await product(shop, uuid)).stock))).to.deep.equal([
      4, 4, 4,
    ]);
  });

  it('cancelled many times at once: the stock comes back once', async () => {
    const mug = await addProduct(shop, { stock: 5 });
    const { uuid } = await buy([units(mug, 3)]);
    const all = await Promise.all(
      Array.from({ length: 10 }, () =>
        unless(['invalid_status_transition', 'concurrent_update'], cancel(uuid)),
      ),
    );
    expect(all.filter((moved) => moved !== null)).to.have.length(1);
    // A repeated follow-up finds nothing to do.
    const { state } = await api.app.executor.load(orderAggregate, uuid);
    await restoreStock(api.app, uuid, { ...state, stockRestored: false }, context(shop));
    expect((await product(shop, mug)).stock).to.equal(5);
    const returns = (await historyOf(mug)).filter((event) => event.type === 'StockReturned');
    expect(returns.map(({ data }) => data.reason)).to.deep.equal(['cancelled']);
  });

  it('stock that is counted or not counted meanwhile stays what the shop says', async () => {
    const mug = await addProduct(shop, { stock: 5 });
    const { uuid } = await buy([units(mug, 2)]);
    await changeProduct(shop, mug, { stock: null });
    await cancel(uuid);
    expect((await product(shop, mug)).stock, 'not counted any more').to.equal(null);
    const free = await buy([units(mug, 2)]);
    await changeProduct(shop, mug, { stock: 10 });
    await cancel(free.uuid);
    expect((await product(shop, mug)).stock, 'nothing had been taken').to.equal(10);
    expect((await api.app.executor.load(orderAggregate, free.uuid)).state.stockRestored).to.equal(false);
  });

  it("an ERP's absolute stock against live orders: what it says is where counting goes on", async () => {
    const mug = await addProduct(shop, { stock: 50 });
    await Promise.all([
      ...Array.from({ length: 30 }, () => unless(['insufficient_stock', 'concurrent_update'], buy([mug]))),
      ...[40, 7, 25].map((stock) => unless(['concurrent_update'], changeProduct(shop, mug, { stock }))),
    ]);
    let left = 50;
    let sets = 0;
    for (const event of await historyOf(mug)) {
      if (event.type === 'StockSet') {
        expect(event.data.prior, 'it knew what it replaced').to.equal(left);
        left = event.data.value!;
        sets += 1;
      }
      if (event.type === 'StockTaken') left -= event.data.lines.reduce((sum, { taken }) => sum + taken, 0);
      expect(left).to.be.at.least(0);
    }
    expect(sets).to.be.at.least(1);
    expect((await product(shop, mug)).stock).to.equal(left);
  });

  it('any interleaving of orders, cancels, edits and deletes keeps the sum', async () => {
    const which = fc.nat({ max: 2 });
    const step = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          do: fc.constant('buy' as const),
          of: which,
          and: which,
          n: fc.integer({ min: 1, max: 4 }),
        }),
      },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), of: fc.nat({ max: 9 }) }) },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('set' as const),
          of: which,
          to: fc.option(fc.nat({ max: 9 })),
        }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), of: which }) },
    );
    const passing = [
      'insufficient_stock',
      'product_unavailable',
      'not_found',
      'invalid_status_transition',
      'concurrent_update',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { maxLength: 5 }),
        async (rounds) => {
          const products = await Promise.all([0, 1, 2].map(() => addProduct(shop, { stock: 4 })));
          const orders: PlacedOrder[] = [];
          for (const round of rounds) {
            // All steps of a round run at once.
            await Promise.all(
              round.map(async (one) => {
                if (one.do === 'buy') {
                  const lines = [units(products[one.of]!, one.n), units(products[one.and]!, 1)];
                  const order = await unless(passing, buy(lines));
                  if (order) orders.push(order);
                } else if (one.do === 'cancel') {
                  const order = orders[one.of];
                  if (order) await unless(passing, cancel(order.uuid));
                } else if (one.do === 'set') {
                  await unless(passing, changeProduct(shop, products[one.of]!, { stock: one.to }));
                } else {
                  await unless(passing, deleteProduct(shop, products[one.of]!));
                }
              }),
            );
          }
          for (const uuid of products) await expectSum(uuid, orders);
          expect(await api.app.dueTimes.count('order-placing')).to.equal(0);
        },
      ),
      { numRuns: runs(25) },
    );
  });

  /** Remaining stock plus the units of standing orders must equal all the stock that there ever was. */
  async function expectSum(uuid: string, orders: readonly PlacedOrder[]): Promise<void> {
    let left: number | null = null;
    const held = new Map<string, number>();
    for (const event of await historyOf(uuid)) {
      if (event.type === 'ProductCreated') left = event.data.stock;
      if (event.type === 'StockSet') left = event.data.value;
      if (event.type === 'StockTaken') {
        const taken = event.data.lines.reduce((sum, line) => sum + line.taken, 0);
        if (left !== null) left -= taken;
        expect(held.has(event.data.order_uuid), 'an order takes once').to.equal(false);
        held.set(event.data.order_uuid, taken);
      }
      if (event.type === 'StockReturned') {
        const back = event.data.lines.reduce((sum, line) => sum + line.returned, 0);
        if (left !== null) left += back;
        else expect(back, 'what is not counted gets nothing').to.equal(0);
        expect(back).to.be.at.most(held.get(event.data.order_uuid) ?? 0);
        held.delete(event.data.order_uuid);
      }
      if (left !== null) expect(left).to.be.at.least(0);
    }
    const { stock, deleted } = await product(shop, uuid);
    expect(stock).to.equal(left);
    const standing = await Promise.all(
      orders.map(async (order) => ({
        uuid: order.uuid,
        state: (await api.app.executor.load(orderAggregate, order.uuid)).state,
      })),
    );
    for (const { uuid: orderUuid, state } of standing) {
      const says = state
        .placed!.items.filter((item) => item.product_uuid === uuid)
        .reduce((sum, item) => sum + item.stock_taken, 0);
      if (state.status !== 'cancelado') expect(held.get(orderUuid) ?? 0, 'as the order says').to.equal(says);
      else if (!deleted) expect(held.has(orderUuid), 'a cancelled order holds nothing').to.equal(false);
    }
    const known = new Set(orders.map((order) => order.uuid));
    for (const [orderUuid] of held) expect(known.has(orderUuid), 'only orders hold stock').to.equal(true);
  }

  it('says in each order what it took, by its own stream', async () => {
    const { records } = await api.app.store.readAll({ after: START, limit: 10_000 });
    const placed = (await api.app.codec.decodeAll<OrderEvent>(records)).filter(
      ({ event }) => event.type === 'OrderPlaced',
    );
    const numbers = placed.map(({ event }) => (event.type === 'OrderPlaced' ? event.data.number : 0));
    expect(placed.length).to.be.above(30);
    expect(new Set(numbers).size, 'no number twice').to.equal(numbers.length);
  });
});
