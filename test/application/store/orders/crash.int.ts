/** A process that dies while it places an order, at each of its writes one after another. */
import { expect } from 'chai';
import { placeOrder, tidyPlacing, type PlacingRow } from '../../../../application/store/orders/place.js';
import { moveOrder } from '../../../../application/store/orders/move.js';
import { orderMessageId } from '../../../../application/store/orders/message.js';
import type { App } from '../../../../application/app.js';
import { messageAggregate } from '../../../../domain/message/decide.js';
import { orderAggregate } from '../../../../domain/order/decide.js';
import { orderStream } from '../../../../domain/streams.js';
import { StoreUnavailable, type EventStore } from '../../../../ports/event-store.js';
import { follow } from '../../../../workers/store/orders.js';
import { makeApi } from '../../../support/api/make-api.js';
import { addProduct, context, openShop, orderOf, product, stocks } from './support.js';
import { opened } from '../../../support/opened.js';
import { anotherProcess } from '../../../support/app.js';
import { withoutTogether } from '../../../support/fakes/one-by-one.js';

/** Append number `after` and every later one fail. With `lost`, that append is stored and only its result is lost. */
function dying(
  app: App,
  after: number,
  lost: boolean,
): { readonly app: App; readonly appends: () => number } {
  let appends = 0;
  const store: EventStore = {
    ...withoutTogether(app.store),
    async append(stream, expected, records) {
      appends += 1;
      if (appends === after && lost) await app.store.append(stream, expected, records);
      if (appends >= after) throw new StoreUnavailable('the process is gone');
      return app.store.append(stream, expected, records);
    },
  };
  const alive = (): void => {
    if (appends >= after) throw new StoreUnavailable('the process is gone');
  };
  const dueTimes: App['dueTimes'] = {
    ...app.dueTimes,
    async cancel(...args) {
      alive();
      return app.dueTimes.cancel(...args);
    },
    async schedule(entries) {
      alive();
      return app.dueTimes.schedule(entries);
    },
  };
  return {
    app: anotherProcess(app, { store, dueTimes }),
    appends: () => appends,
  };
}

describe('an order whose placing breaks off', () => {
  const api = opened(makeApi);
  const shop = opened(() => openShop(api.app));

  const numbers: number[] = [];
  const twoProducts = () => Promise.all([1, 2].map(() => addProduct(shop, { stock: 3 })));

  /** Processes every row as the worker does, as if all were due. */
  async function tidyAll(): Promise<number> {
    const { dueTimes, clock } = api.app;
    const rows = await dueTimes.claim({
      queue: 'order-placing',
      lane: shop.company,
      now: clock.now() + 60_001,
      limit: 50,
      leaseMs: 1_000,
    });
    for (const { payload, id, fence } of rows) {
      const row = payload as PlacingRow;
      await tidyPlacing(api.app, row, context(shop));
      // Tidying a row twice has the effect of tidying it once.
      await tidyPlacing(api.app, row, context(shop));
      await dueTimes.settle([{ queue: 'order-placing', id, fence, then: 'done' }]);
    }
    return rows.length;
  }

  for (const lost of [false, true]) {
    it(`is there or holds no stock, ${lost ? 'also where an answer is lost' : 'wherever it broke off'}`, async function () {
      this.timeout(120_000);
      let orders = 0;
      let broken = 0;
      for (let at = 1; ; at += 1) {
        const products = await twoProducts();
        const input = orderOf(api.app, products);
        const { app, appends } = dying(api.app, at, lost);
        const outcome = await placeOrder(app, shop.store, input, context(shop)).then(
          () => 'placed',
          (error: unknown) => {
            if (!(error instanceof StoreUnavailable)) throw error;
            return 'broken';
          },
        );
        if (appends() < at) break;
        broken += 1;
        expect(await tidyAll(), `${at}: a row is left`).to.equal(1);
        expect(await api.app.dueTimes.count('order-placing')).to.equal(0);
        const { state } = await api.app.executor.load(orderAggregate, input.orderUuid);
        const left = await stocks(shop, products);
        if (outcome === 'placed')
          expect(state.placed, `${at}: what was promised is there`).to.not.equal(null);
        expect(left, `${at}: with the order or on the shelf`).to.deep.equal(
          state.placed === null ? [3, 3] : [2, 2],
        );
        if (state.placed !== null) {
          orders += 1;
          const message = await api.app.executor.load(messageAggregate, orderMessageId(input.orderUuid));
          expect(message.state.exists, `${at}: it is told`).to.equal(true);
        }
        // The buyer sends the form again and gets one order, whether or not the first call left one.
        const again = await placeOrder(api.app, shop.store, input, context(shop));
        const after = await stocks(shop, products);
        expect(after, `${at}: one order in the end`).to.deep.equal([2, 2]);
        expect(again.order.placed, `${at}`).to.not.equal(null);
      }
      // The appends: two products, the contact, its phone, the conversation, the number, the order, the message.
      expect(broken).to.be.at.least(8);
      expect(orders, 'some had the order already, some not').to.be.within(1, broken - 1);
    });
  }

  it('is undone at once where a single answer is lost and nothing else is wrong', async function () {
    this.timeout(120_000);
    let undone = 0;
    for (let at = 1; ; at += 1) {
      const products = await twoProducts();
      const input = orderOf(api.app, products);
      let appends = 0;
      const store: EventStore = {
        ...withoutTogether(api.app.store),
        async append(stream, expected, records) {
          const done = await api.app.store.append(stream, expected, records);
          if ((appends += 1) === at) throw new StoreUnavailable('its answer is lost');
          return done;
        },
      };
      const outcome = await placeOrder(
        anotherProcess(api.app, { store }),
        shop.store,
        input,
        context(shop),
      ).then(
        () => 'placed',
        () => 'broken',
      );
      if (appends < at) break;
      if (outcome === 'broken') undone += 1;
      const left = await stocks(shop, products);
      expect(left, `${at}: at once, not in a minute`).to.deep.equal(outcome === 'placed' ? [2, 2] : [3, 3]);
      // Only the message may be missing, and then a row for it is left.
      const rows = await tidyAll();
      if (outcome === 'broken') expect(rows, `${at}`).to.equal(0);
      const { number } = (await placeOrder(api.app, shop.store, input, context(shop))).order.placed!;
      numbers.push(number);
    }
    expect(undone).to.be.at.least(3);
    expect(new Set(numbers).size, 'each its own number').to.equal(numbers.length);
  });

  it('is given up by the worker while it is still under way: then it is placed anew', async () => {
    const mug = await addProduct(shop, { stock: 3 });
    const input = orderOf(api.app, [mug]);
    const { executor } = api.app;
    let slow = true;
    const app: App = {
      ...api.app,
      executor: {
        ...executor,
        execute: async (aggregate, id, command, by) => {
          if (slow && (command as { type: string }).type === 'PlaceOrder') {
            slow = false;
            await tidyAll();
          }
          return executor.execute(aggregate, id, command, by);
        },
      },
    };
    const { uuid, order } = await placeOrder(app, shop.store, input, context(shop));
    expect(uuid).to.not.equal(input.orderUuid);
    expect(order.placed).to.not.equal(null);
    expect((await product(shop, mug)).stock).to.equal(2);
  });

  it('cancelled by a process that dies: the worker brings the stock back, once', async () => {
    for (const at of [2, 3, 4]) {
      const products = await twoProducts();
      const { uuid } = await placeOrder(api.app, shop.store, orderOf(api.app, products), context(shop));
      const { app } = dying(api.app, at, false);
      await moveOrder(app, shop.company, uuid, 'cancelado', 'Desistência', context(shop)).then(
        () => expect.fail('it broke off'),
        (error: unknown) => expect(error).to.be.instanceOf(StoreUnavailable),
      );
      const cancelled = (await api.app.store.read(orderStream.toName(uuid))).at(-1)!;
      expect(cancelled.type).to.equal('OrderCancelled');
      const pointer = {
        stream: cancelled.stream,
        revision: cancelled.revision,
        position: cancelled.position,
        event_id: cancelled.eventId,
        company: shop.company,
        correlation_id: cancelled.meta.correlation_id,
      };
      await follow(api.app, pointer);
      await follow(api.app, pointer);
      const left = await stocks(shop, products);
      expect(left, `${at}`).to.deep.equal([3, 3]);
      expect((await api.app.executor.load(orderAggregate, uuid)).state.stockRestored).to.equal(true);
    }
  });
});
