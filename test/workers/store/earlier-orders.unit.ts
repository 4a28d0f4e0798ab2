/** Orders of a release without holds get their hold time once, over stores in memory. */
import { expect } from 'chai';
import { storeOf } from '../../../application/store/gate.js';
import type { OrderInput } from '../../../application/store/orders/input.js';
import { moveOrder } from '../../../application/store/orders/move.js';
import { placeOrder } from '../../../application/store/orders/place.js';
import { orderAggregate } from '../../../domain/order/decide.js';
import { orderStream } from '../../../domain/streams.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { startReactor } from '../../../workers/kernel/reactor.js';
import {
  earlierOrders,
  holdEarlierOrders,
  startHoldingEarlierOrders,
} from '../../../workers/store/earlier-orders.js';
import { orderReactor } from '../../../workers/store/orders.js';
import { addProduct, context, openShop, orderOf } from '../../application/store/orders/support.js';
import { memoryApp } from '../../support/memory/app.js';
import { openedForEach } from '../../support/opened.js';

const HOUR = 3_600_000;

describe('orders of a release that knew no holds', () => {
  const world = openedForEach(async () => memoryApp());
  const shop = openedForEach(() => openShop(world.app));
  let mug: string;
  beforeEach(async () => {
    await world.app.readModels.define(earlierOrders);
    mug = await addProduct(shop, { stock: 9 });
  });

  async function place(more: Partial<OrderInput> = {}): Promise<string> {
    const store = await storeOf(world.app, shop.company);
    const input = orderOf(world.app, [mug], { payment: { method: 'pix' }, ...more });
    return (await placeOrder(world.app, store, input, context(shop))).uuid;
  }
  const move = (uuid: string, to: 'confirmado' | 'pago' | 'cancelado') =>
    moveOrder(world.app, shop.company, uuid, to, null, context(shop));
  const order = async (uuid: string) => (await world.app.executor.load(orderAggregate, uuid)).state;
  const types = async (uuid: string) =>
    (await world.app.store.read(orderStream.toName(uuid))).map(({ type }) => type);

  /** Places an order as a history of that release has it. */
  async function placedEarlier(more: Partial<OrderInput> = {}): Promise<string> {
    const before = world.records.length;
    const uuid = await place(more);
    for (const { type, data } of world.records.slice(before)) {
      if (type === 'OrderPlaced') Reflect.deleteProperty(data, 'hold_until');
    }
    return uuid;
  }
  const rounds = () => startHoldingEarlierOrders(world.app);

  it('get their time once, from now on', async () => {
    const unpaid = await placedEarlier();
    const cash = await placedEarlier({ payment: { method: 'cash' } });
    const paid = await placedEarlier();
    await move(paid, 'confirmado');
    await move(paid, 'pago');
    const cancelled = await placedEarlier();
    await move(cancelled, 'cancelado');
    const now = await place();
    await world.clock.advance(100 * HOUR);
    expect(await holdEarlierOrders(world.app)).to.equal(true);
    const until = new Date(world.clock.now() + 24 * HOUR).toISOString();
    expect((await order(unpaid)).holdUntil).to.equal(until);
    const { meta } = (await world.app.store.read(orderStream.toName(unpaid))).at(-1)!;
    expect(meta).to.include({ actor: 'worker:orders', company: shop.company });
    for (const uuid of [cash, paid, cancelled, now]) {
      expect(await types(uuid), uuid).not.to.include('OrderHoldSet');
    }
    expect(await world.app.readModels.checkpoint('earlier_orders@1')).to.equal(
      world.records.at(-2)!.position,
    );
  });

  it('are looked for once in the life of a deployment', async () => {
    await holdEarlierOrders(world.app);
    const late = await placedEarlier();
    expect(await holdEarlierOrders(world.app)).to.equal(true);
    expect(await types(late)).to.deep.equal(['OrderPlaced']);
  });

  it('are found through any number of pages', async () => {
    const unpaid = await placedEarlier();
    const paid = await placedEarlier();
    await move(paid, 'confirmado');
    const store = { ...world.app.store };
    let pages = 0;
    world.app.store.readAll = async (options) => {
      if ((pages += 1) > 100) throw new Error('there is no end of pages');
      return store.readAll({ ...options, limit: 3 });
    };
    await holdEarlierOrders(world.app);
    expect(await types(unpaid)).to.include('OrderHoldSet');
    expect(await types(paid)).to.include('OrderHoldSet');
  });

  it('are left to another process that is at it, and taken up when that is gone', async () => {
    const unpaid = await placedEarlier();
    const lease = (await world.app.leases.acquire('earlier_orders'))!;
    expect(await holdEarlierOrders(world.app)).to.equal(false);
    const running = rounds();
    await world.clock.advance(2_500);
    expect(await types(unpaid)).to.deep.equal(['OrderPlaced']);
    await lease.release();
    await world.clock.advance(1_000);
    expect(await types(unpaid)).to.include('OrderHoldSet');
    expect(world.clock.pending(), 'it is done').to.equal(0);
    await running.stop();
  });

  it('are not looked at again where another process did it meanwhile', async () => {
    const unpaid = await placedEarlier();
    const leases = { ...world.app.leases };
    world.app.leases.acquire = async (name) => {
      const lease = await leases.acquire(name);
      const to = world.records.at(-1)!.position;
      const done = { projection: 'earlier_orders@1', from: '' as typeof to, to, writes: [] };
      await world.app.readModels.commit('earlier_orders', done);
      return lease;
    };
    expect(await holdEarlierOrders(world.app)).to.equal(true);
    expect(await types(unpaid)).to.deep.equal(['OrderPlaced']);
  });

  it('give the lease back where they fail', async () => {
    await placedEarlier();
    world.app.store.head = () => Promise.reject(new StoreUnavailable('gone'));
    expect(await holdEarlierOrders(world.app).catch((error: unknown) => error)).to.be.instanceOf(
      StoreUnavailable,
    );
    expect(await world.app.leases.acquire('earlier_orders')).not.to.equal(null);
  });

  it('are held by the worker that starts', async () => {
    const unpaid = await placedEarlier();
    const worker = startReactor(world.app, orderReactor, {});
    await world.clock.advance(1_000);
    expect(await types(unpaid)).to.include('OrderHoldSet');
    await worker.stop();
    expect(world.clock.pending()).to.equal(0);
  });
});
