/** The work that an order's events, its hold time and its placing give the worker, over stores in memory. */
import { expect } from 'chai';
import type { EventPointer } from '../../../application/relay.js';
import { storeOf } from '../../../application/store/gate.js';
import { ORDER_HOLDS } from '../../../application/store/orders/hold.js';
import type { OrderInput } from '../../../application/store/orders/input.js';
import { orderMessageId } from '../../../application/store/orders/message.js';
import { moveOrder } from '../../../application/store/orders/move.js';
import { ORDER_PLACING, placeOrder } from '../../../application/store/orders/place.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import { orderAggregate } from '../../../domain/order/decide.js';
import { messageStream, orderStream } from '../../../domain/streams.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { startReactor } from '../../../workers/kernel/reactor.js';
import { endHoldOf, follow, orderReactor } from '../../../workers/store/orders.js';
import { addProduct, context, openShop, orderOf, product } from '../../application/store/orders/support.js';
import { addCustomer, addInboundMessage } from '../../support/api/world.js';
import { memoryApp } from '../../support/memory/app.js';
import { openedForEach } from '../../support/opened.js';

const HOUR = 3_600_000;

describe('orders, by the worker', () => {
  const world = openedForEach(async () => memoryApp());
  const shop = openedForEach(() => openShop(world.app));
  let mug: string;
  beforeEach(async () => {
    mug = await addProduct(shop, { stock: 5, details: { sku: 'MUG' } });
    await world.show('channels');
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
  const stock = async () => (await product(shop, mug)).stock;
  const held = () =>
    world.dueTimes.rows(ORDER_HOLDS).map(({ id, lane, dueAt, payload }) => ({ id, lane, dueAt, payload }));
  const rowOf = (uuid: string) => ({ order_uuid: uuid, company: shop.company });

  /** A pointer to the last event of a stream. */
  async function pointer(stream: string): Promise<EventPointer> {
    const { revision, position, eventId, meta } = (await world.app.store.read(stream)).at(-1)!;
    return {
      stream,
      revision,
      position,
      event_id: eventId,
      company: meta.company,
      correlation_id: meta.correlation_id,
    };
  }
  const told = async (uuid: string) => follow(world.app, await pointer(orderStream.toName(uuid)));
  /** Cancelled by a process that died before the stock was returned. */
  async function cancelledHalfway(uuid: string): Promise<void> {
    const command = { type: 'MoveOrder', to: 'cancelado', reason: null } as const;
    await world.app.executor.execute(orderAggregate, uuid, command, context(shop));
  }

  describe('that are told of', () => {
    it('wait for their money until their time is over', async () => {
      const uuid = await place();
      expect(await told(uuid)).to.deep.equal({ kind: 'handled' });
      const dueAt = world.clock.now() + 24 * HOUR;
      expect(held()).to.deep.equal([{ id: uuid, lane: shop.company, dueAt, payload: rowOf(uuid) }]);
    });

    it('give their stock back once where they were cancelled', async () => {
      const uuid = await place();
      await cancelledHalfway(uuid);
      expect(await stock()).to.equal(4);
      const cause = await pointer(orderStream.toName(uuid));
      expect(await told(uuid)).to.deep.equal({ kind: 'handled' });
      await told(uuid);
      expect(await stock()).to.equal(5);
      expect(await types(uuid)).to.deep.equal(['OrderPlaced', 'OrderCancelled', 'OrderStockRestored']);
      const { meta } = (await world.app.store.read(orderStream.toName(uuid))).at(-1)!;
      expect(meta).to.include({
        actor: 'worker:orders',
        company: shop.company,
        causation_id: cause.event_id,
        correlation_id: cause.correlation_id,
        command_id: `${cause.event_id}/follow/restored`,
      });
      expect(held()).to.deep.equal([]);
    });

    it('leave a note where nobody paid them', async () => {
      const uuid = await place();
      await world.clock.advance(24 * HOUR);
      await endHoldOf(world.app, rowOf(uuid));
      await told(uuid);
      const notes = world.records.filter(({ type }) => type === 'NoteWritten');
      expect(notes).to.have.length(1);
    });

    it('are carts of customers too, at the catalogue that the customer saw', async () => {
      const customer = await addCustomer(world.app, shop, { phone: '+5511987650001', name: 'Ana' });
      const item = { product_retailer_id: 'MUG', quantity: 1, item_price: null, currency: null };
      const content = { catalog_id: null, items: [item] };
      const uuid = await addInboundMessage(world.app, shop, customer, { type: 'order', content });
      const cart = await pointer(`message-${uuid}`);
      await world.show('stores', 'products', 'orders', 'contacts');
      world.barrier.endAt('products', cart.position);
      const behind = await follow(world.app, cart).catch((error: unknown) => error);
      expect(behind).to.be.instanceOf(StoreUnavailable);
      world.barrier.whole('products');
      world.barrier.endAt('conversations', cart.position);
      expect(await follow(world.app, cart)).to.deep.equal({ kind: 'handled' });
      const placed = world.records.filter(({ type }) => type === 'OrderPlaced');
      expect(placed).to.have.length(1);
      expect(placed[0]!.data).to.include({ source: 'whatsapp_cart', message_uuid: uuid });
      await follow(world.app, cart);
      expect(world.records.filter(({ type }) => type === 'OrderPlaced')).to.have.length(1);
    });

    it('are none of other streams', async () => {
      const cause = await pointer(`product-${mug}`);
      expect(await follow(world.app, cause)).to.deep.equal({ kind: 'skipped' });
    });
  });

  describe('whose time is over', () => {
    it('are cancelled', async () => {
      const uuid = await place();
      await world.clock.advance(24 * HOUR);
      expect(await endHoldOf(world.app, rowOf(uuid))).to.deep.equal({ kind: 'handled' });
      expect(await order(uuid)).to.include({ status: 'cancelado', cancelReason: 'unpaid' });
      const { meta } = (await world.app.store.read(orderStream.toName(uuid))).at(-1)!;
      expect(meta).to.include({ actor: 'worker:orders', company: shop.company });
    });

    it('have what is left of it where it is not over', async () => {
      const uuid = await place();
      await world.clock.advance(23 * HOUR);
      expect(await endHoldOf(world.app, rowOf(uuid))).to.deep.equal({
        kind: 'later',
        delayMs: HOUR,
        reason: 'the order has time left',
      });
      expect(await types(uuid)).to.deep.equal(['OrderPlaced']);
    });

    it('stay where they are paid', async () => {
      const uuid = await place();
      await move(uuid, 'confirmado');
      await move(uuid, 'pago');
      await world.clock.advance(48 * HOUR);
      expect(await endHoldOf(world.app, rowOf(uuid))).to.deep.equal({ kind: 'handled' });
      expect((await order(uuid)).status).to.equal('pago');
    });
  });

  describe('by a worker that runs', () => {
    let outcomes: string[];
    const start = () =>
      startReactor(world.app, orderReactor, {}, (group, kind) => outcomes.push(`${group} ${kind}`));
    beforeEach(() => {
      outcomes = [];
    });

    it('are cancelled in time, their stock back', async () => {
      const uuid = await place();
      await world.clock.advance(24 * HOUR - 1);
      const worker = start();
      await world.clock.advance(0);
      expect(await worker.lag()).to.equal(0);
      expect(outcomes).to.deep.equal(['orders handled']);
      expect(await types(uuid)).to.deep.equal(['OrderPlaced']);
      await world.clock.advance(1_000);
      expect(await types(uuid)).to.deep.equal(['OrderPlaced', 'OrderCancelled', 'OrderStockRestored']);
      expect(outcomes).to.include('order-holds handled');
      await worker.stop();
      expect(world.clock.pending()).to.equal(0);
    });

    it('hold no stock where they were left half placed', async () => {
      const uuid = world.app.newId();
      const row = {
        queue: ORDER_PLACING,
        id: 'row',
        lane: shop.company,
        dueAt: world.clock.now(),
        payload: { ...rowOf(uuid), product_uuids: [mug] },
      };
      await world.dueTimes.schedule([row]);
      const worker = start();
      await world.clock.advance(2_000);
      const [record, ...others] = await world.app.store.read(orderStream.toName(uuid));
      expect([record!.type, record!.data, others]).to.deep.equal([
        'OrderNotPlaced',
        { company_uuid: shop.company, product_uuids: [mug] },
        [],
      ]);
      expect(record!.meta).to.include({ actor: 'worker:orders', company: shop.company });
      expect(outcomes).to.include('order-placing handled');
      expect(world.dueTimes.rows(ORDER_PLACING)).to.deep.equal([]);
      await worker.stop();
    });

    it('are shown in their conversation soon where that failed, long before their placing would be given up', async () => {
      const customer = await addCustomer(world.app, shop, { phone: '+5511987650001', name: 'Ana' });
      const item = { product_retailer_id: 'MUG', quantity: 1, item_price: null, currency: null };
      const content = { catalog_id: null, items: [item] };
      const cart = await addInboundMessage(world.app, shop, customer, { type: 'order', content });
      await world.show('stores', 'products', 'orders', 'contacts');
      const shown = orderMessageId(deriveId('order', cart));
      const store = { ...world.app.store };
      world.app.store.append = (stream, ...rest) =>
        stream === messageStream.toName(shown)
          ? Promise.reject(new Error('a fault'))
          : store.append(stream, ...rest);
      await follow(world.app, await pointer(messageStream.toName(cart)));
      world.app.store.append = (...args) => store.append(...args);
      const worker = start();
      await world.clock.advance(3_000);
      const records = await world.app.store.read(messageStream.toName(shown));
      expect(records.map(({ type }) => type)).to.deep.equal(['StoreOrderRecorded']);
      expect(world.dueTimes.rows(ORDER_PLACING)).to.deep.equal([]);
      await worker.stop();
    });

    it('are tried again where that failed, what is half placed and what nobody paid', async () => {
      const uuid = await place();
      await world.clock.advance(24 * HOUR);
      const rows = [
        { queue: ORDER_HOLDS, id: uuid, lane: shop.company, dueAt: 0, payload: rowOf(uuid) },
        {
          queue: ORDER_PLACING,
          id: 'row',
          lane: shop.company,
          dueAt: 0,
          payload: { ...rowOf(world.app.newId()), product_uuids: [mug] },
        },
      ];
      await world.dueTimes.schedule(rows);
      const store = { ...world.app.store };
      world.app.store.append = () => Promise.reject(new Error('a fault'));
      const worker = start();
      await world.clock.advance(8_000);
      expect(world.dueTimes.rows(ORDER_HOLDS)).to.have.length(1);
      expect(world.dueTimes.rows(ORDER_PLACING)).to.have.length(1);
      world.app.store.append = (...args) => store.append(...args);
      await world.clock.advance(10_000);
      expect(world.dueTimes.rows(ORDER_HOLDS)).to.deep.equal([]);
      expect(world.dueTimes.rows(ORDER_PLACING)).to.deep.equal([]);
      expect((await order(uuid)).status).to.equal('cancelado');
      await worker.stop();
    });
  });
});
