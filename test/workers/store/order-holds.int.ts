/** Unpaid orders hold stock for a time, and then no more: the actions of the worker, by a clock that tests move. */
import { expect } from 'chai';
import { relay, NOTIFICATIONS, ORDERS, type EventPointer } from '../../../application/relay.js';
import { eraseContact } from '../../../application/provisioning/erase-contact.js';
import { storeOf } from '../../../application/store/gate.js';
import { changeStore } from '../../../application/store/settings.js';
import { ORDER_HOLDS, type HoldRow } from '../../../application/store/orders/hold.js';
import type { OrderInput } from '../../../application/store/orders/input.js';
import { moveOrder } from '../../../application/store/orders/move.js';
import { placeOrder } from '../../../application/store/orders/place.js';
import type { App } from '../../../application/app.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { orderAggregate } from '../../../domain/order/decide.js';
import type { HoldMinutes } from '../../../domain/store/holds.js';
import { orderStream } from '../../../domain/streams.js';
import type { EventStore, StoredRecord } from '../../../ports/event-store.js';
import { startReactor } from '../../../workers/kernel/reactor.js';
import { restoreCollections } from '../../../workers/restore/prepare.js';
import { decideHeld } from '../../../workers/restore/release.js';
import { earlierOrders, holdEarlierOrders } from '../../../workers/store/earlier-orders.js';
import { endHoldOf, follow, orderReactor } from '../../../workers/store/orders.js';
import { addProduct, context, openShop, orderOf, product } from '../../application/store/orders/support.js';
import { ask } from '../../support/api/client.js';
import { makeApi } from '../../support/api/make-api.js';
import { anotherProcess } from '../../support/app.js';
import { webhookCollections } from '../../../workers/webhooks/documents.js';
import { eventually } from '../../support/e2e/eventually.js';
import { manualClock, type ManualClock } from '../../support/fakes/manual-clock.js';
import { openedForEach } from '../../support/opened.js';
import { heldUnder, restored } from '../restore/restored.js';

const HOUR = 3_600_000;
const PIX = { payment: { method: 'pix' } } as const;

/** A writer that lost a race tries again at once. */
const impatient = (clock: ManualClock): ManualClock => ({
  ...clock,
  after(_ms, task) {
    const immediate = setImmediate(task);
    return () => clearImmediate(immediate);
  },
});

describe('an order that nobody pays', () => {
  let clock: ManualClock;
  let mug: string;
  const api = openedForEach(() => makeApi({ parts: { clock: (clock = manualClock()) } }));
  const shop = openedForEach(() => openShop(api.app));
  beforeEach(async () => {
    mug = await addProduct(shop, { stock: 5 });
  });

  const placeBy = async (app: App, line: string, more: Partial<OrderInput>): Promise<string> => {
    const store = await storeOf(app, shop.company);
    return (await placeOrder(app, store, orderOf(app, [line], more), context(shop))).uuid;
  };
  const place = (more: Partial<OrderInput> = PIX) => placeBy(api.app, mug, more);
  const records = (uuid: string): Promise<readonly StoredRecord[]> =>
    api.app.store.read(orderStream.toName(uuid));
  const types = async (uuid: string) => (await records(uuid)).map(({ type }) => type);
  const stock = async () => (await product(shop, mug)).stock;
  const shown = async (uuid: string) => {
    const { status, body, text } = await ask(api, 'GET', `/store/orders/${uuid}`, { key: shop.key });
    expect(status, text).to.equal(200);
    return body.data as Record<string, unknown>;
  };
  const move = (uuid: string, to: 'confirmado' | 'pago' | 'cancelado', app: App = api.app) =>
    moveOrder(app, shop.company, uuid, to, null, context(shop));
  const setHolds = (holdMinutes: HoldMinutes) =>
    changeStore(api.app, { companyUuid: shop.company, settings: { holdMinutes } }, { actor: 'admin' });

  /** Handles everything that the topic holds of the order, in order, then the events that this caused. */
  async function tell(uuid: string, from = 0): Promise<void> {
    const all = await records(uuid);
    for (const record of all.slice(from)) {
      for (const { topic, value } of relay(record)) {
        if (topic === ORDERS) await follow(api.app, value as EventPointer);
      }
    }
    if ((await records(uuid)).length > all.length) await tell(uuid, all.length);
  }
  async function dueRows(): Promise<readonly HoldRow[]> {
    const lane = shop.company;
    const now = clock.now();
    const rows = await api.app.dueTimes.claim({ queue: ORDER_HOLDS, lane, now, limit: 50, leaseMs: 1 });
    return rows.map(({ payload }) => payload as HoldRow);
  }
  const notes = async (uuid: string): Promise<unknown[]> => {
    const { conversation_uuid } = (await records(uuid))[0]!.data;
    const path = `/conversations/${String(conversation_uuid)}/messages`;
    const { data } = (await ask(api, 'GET', path, { key: shop.key })).body as { data: { type: string }[] };
    return data.filter(({ type }) => type === 'note');
  };

  it('by Pix is cancelled after 24 hours: stock, history and the conversation say so, once', async () => {
    const uuid = await place();
    await tell(uuid);
    expect(await shown(uuid)).to.include({ hold_until: new Date(clock.now() + 24 * HOUR).toISOString() });
    await clock.advance(24 * HOUR - 1);
    expect(await dueRows()).to.deep.equal([]);
    await clock.advance(1);
    const [row] = await dueRows();
    expect(await endHoldOf(api.app, row!)).to.deep.equal({ kind: 'handled' });
    // As after a worker that died, or a message that came twice.
    await endHoldOf(api.app, row!);
    await tell(uuid);
    await tell(uuid);
    expect(await types(uuid)).to.deep.equal(['OrderPlaced', 'OrderCancelled', 'OrderStockRestored']);
    expect(await stock()).to.equal(5);
    const order = await shown(uuid);
    expect(order).to.deep.include({ status: 'cancelado', cancel_reason: 'unpaid', hold_until: null });
    expect((order['status_history'] as unknown[]).at(-1)).to.deep.include({
      status: 'cancelado',
      by: { type: 'system', id: null },
    });
    expect(await notes(uuid)).to.have.length(1);
    const told = (await records(uuid)).flatMap(relay).filter(({ topic }) => topic === NOTIFICATIONS);
    expect(told, 'integrators hear of no more than before (spec §3)').to.have.length(1);
  });

  it('is cancelled by the running worker, also where the shop has confirmed it', async () => {
    const uuid = await place();
    await api.app.topics.publish((await records(uuid)).flatMap(relay));
    await move(uuid, 'confirmado');
    await clock.advance(24 * HOUR);
    const worker = startReactor(api.app, orderReactor, {});
    try {
      await eventually(async () => (await types(uuid)).includes('OrderCancelled'), { what: 'the end' });
    } finally {
      await worker.stop();
    }
  });

  it('stays where it is paid, delivered by hand, took no stock, or is paid on delivery', async () => {
    const paid = await place();
    await move(paid, 'confirmado');
    await move(paid, 'pago');
    const cash = await place({ payment: { method: 'cash' } });
    const cart = await place({ payment: { method: null } });
    const endless = await addProduct(shop);
    const service = await placeBy(api.app, endless, PIX);
    for (const uuid of [paid, cash, cart, service]) await tell(uuid);
    await clock.advance(1_000 * HOUR);
    for (const row of await dueRows()) await endHoldOf(api.app, row);
    expect(await types(paid)).to.deep.equal(['OrderPlaced', 'OrderConfirmed', 'OrderPaid']);
    for (const uuid of [cash, cart, service]) {
      expect(await types(uuid)).to.deep.equal(['OrderPlaced']);
      expect(await shown(uuid)).to.include({ hold_until: null });
    }
  });

  it('has the time of when it was placed; switched off, the setting spares it for good', async () => {
    await setHolds({ pix: 30, cash: 60 });
    const pix = await place();
    const cash = await place({ payment: { method: 'cash' } });
    for (const uuid of [pix, cash]) await tell(uuid);
    await setHolds({ pix: null, cash: 24 * 60 });
    await clock.advance(HOUR);
    for (const row of await dueRows()) await endHoldOf(api.app, row);
    expect(await types(pix)).to.deep.equal(['OrderPlaced', 'OrderHoldSet']);
    expect(await shown(pix)).to.include({ status: 'novo', hold_until: null });
    expect((await shown(cash))['status'], 'one hour, as it was promised').to.equal('cancelado');
    await setHolds({ pix: 30 });
    await tell(pix);
    await clock.advance(48 * HOUR);
    await endHoldOf(api.app, { order_uuid: pix, company: shop.company });
    expect((await shown(pix))['status']).to.equal('novo');
  });

  it('that comes early, since the clock was set back, waits for what is left', async () => {
    const uuid = await place();
    await clock.advance(24 * HOUR);
    clock.stepWall(-HOUR);
    const outcome = await endHoldOf(api.app, { order_uuid: uuid, company: shop.company });
    expect(outcome).to.include({ kind: 'later', delayMs: HOUR });
    expect(await types(uuid)).to.deep.equal(['OrderPlaced']);
  });

  for (const first of ['the payment', 'the end of its time'] as const) {
    it(`by two workers while it is being paid: ${first} was first, and it is either paid or cancelled`, async () => {
      const uuid = await place();
      await move(uuid, 'confirmado');
      await clock.advance(24 * HOUR);
      const another = (parts: Partial<App> = {}): App =>
        anotherProcess(api.app, { clock: impatient(clock), ...parts });
      const pay = (): Promise<unknown> => move(uuid, 'pago', another()).catch((error: unknown) => error);
      const row = { order_uuid: uuid, company: shop.company };
      // Runs right before the first worker writes what it has decided.
      let pending: Promise<unknown> | null = null;
      const store: EventStore = {
        ...api.app.store,
        async append(...args) {
          if (pending === null) {
            pending = first === 'the payment' ? pay() : endHoldOf(another(), row);
            await pending;
          }
          return api.app.store.append(...args);
        },
      };
      await endHoldOf(another({ store }), row);
      const after = first === 'the payment' ? await pending! : await pay();
      await tell(uuid);
      const history = await types(uuid);
      if (first === 'the payment') {
        expect(history).to.deep.equal(['OrderPlaced', 'OrderConfirmed', 'OrderPaid']);
        expect(await stock()).to.equal(4);
      } else {
        expect(after).to.be.instanceOf(Refusal).with.property('code', 'invalid_status_transition');
        expect(history).to.deep.equal([
          'OrderPlaced',
          'OrderConfirmed',
          'OrderCancelled',
          'OrderStockRestored',
        ]);
        expect(await stock()).to.equal(5);
      }
    });
  }

  it('of somebody who was erased is cancelled without a note', async () => {
    for (const spec of webhookCollections) await api.app.readModels.define(spec);
    const uuid = await place();
    const contactUuid = String((await records(uuid))[0]!.data['contact_uuid']);
    await eraseContact(api.app, { contactUuid }, { actor: 'admin' });
    await clock.advance(24 * HOUR);
    await endHoldOf(api.app, { order_uuid: uuid, company: shop.company });
    await tell(uuid);
    expect(await stock()).to.equal(5);
    expect(await notes(uuid)).to.deep.equal([]);
  });

  describe('and that an earlier release placed', () => {
    beforeEach(() => api.app.readModels.define(earlierOrders));

    /** Places an order as a history of that release has it: without a hold time. */
    async function placedEarlier(more: Partial<OrderInput> = PIX): Promise<string> {
      const { executor } = api.app;
      const earlier: App = {
        ...api.app,
        executor: {
          ...executor,
          execute(aggregate, id, command, by) {
            const { data } = command as { readonly data?: object };
            if (data) Reflect.deleteProperty(data, 'hold_until');
            return executor.execute(aggregate, id, command, by);
          },
        },
      };
      return placeBy(earlier, mug, more);
    }

    it('gets the full time from the upgrade on, once', async () => {
      const unpaid = await placedEarlier();
      const cash = await placedEarlier({ payment: { method: 'cash' } });
      const paid = await placedEarlier();
      await move(paid, 'confirmado');
      await move(paid, 'pago');
      await clock.advance(100 * HOUR);
      expect(await holdEarlierOrders(api.app)).to.equal(true);
      await clock.advance(HOUR);
      expect(await holdEarlierOrders(api.app)).to.equal(true);
      for (const uuid of [unpaid, cash, paid]) await tell(uuid);
      expect(await shown(unpaid)).to.include({ hold_until: new Date(clock.now() + 23 * HOUR).toISOString() });
      for (const uuid of [cash, paid]) expect(await types(uuid)).to.not.include('OrderHoldSet');
      // A hold time that is set later applies to orders from then on.
      await setHolds({ cash: 60 });
      await holdEarlierOrders(api.app);
      expect(await types(cash)).to.deep.equal(['OrderPlaced']);
      await clock.advance(23 * HOUR);
      for (const row of await dueRows()) await endHoldOf(api.app, row);
      expect((await shown(unpaid))['status']).to.equal('cancelado');
    });

    it('by a process that still runs it gets its time when it is heard of', async () => {
      await holdEarlierOrders(api.app);
      const uuid = await placedEarlier();
      await tell(uuid);
      expect(await types(uuid)).to.deep.equal(['OrderPlaced', 'OrderHoldSet']);
      expect(await api.app.dueTimes.count(ORDER_HOLDS)).to.equal(1);
    });
  });

  describe('behind a restore', () => {
    beforeEach(async () => {
      for (const spec of restoreCollections) await api.app.readModels.define(spec);
    });

    it('is cancelled in time when it comes due later, though the copy had no row of it', async () => {
      const uuid = await place();
      await clock.advance(HOUR);
      await restored(api.app);
      expect(await heldUnder(api.app, uuid)).to.equal(undefined);
      expect(await api.app.dueTimes.count(ORDER_HOLDS)).to.equal(1);
      await clock.advance(23 * HOUR);
      for (const row of await dueRows()) await endHoldOf(api.app, row);
      expect(await types(uuid)).to.include('OrderCancelled');
    });

    for (const verdict of ['release', 'end'] as const) {
      it(`is held when it came due before: it may have been paid (${verdict})`, async () => {
        const uuid = await place();
        await tell(uuid);
        await clock.advance(25 * HOUR);
        await restored(api.app);
        expect(await dueRows()).to.deep.equal([]);
        expect(await heldUnder(api.app, uuid)).to.include({ kind: 'order', company_uuid: shop.company });
        expect(await types(uuid)).to.deep.equal(['OrderPlaced']);
        await decideHeld(api.app, verdict, uuid, { actor: 'admin' });
        for (const row of await dueRows()) await endHoldOf(api.app, row);
        expect(await types(uuid)).to.deep.equal([
          'OrderPlaced',
          verdict === 'release' ? 'OrderCancelled' : 'OrderHoldSet',
        ]);
        expect(await heldUnder(api.app, uuid)).to.equal(undefined);
      });
    }

    it('is cancelled at once where nothing ran since', async () => {
      const uuid = await place();
      await clock.advance(25 * HOUR);
      await restored(api.app, true);
      for (const row of await dueRows()) await endHoldOf(api.app, row);
      expect(await types(uuid)).to.include('OrderCancelled');
    });

    it('says nothing of what was paid, cancelled or has no end', async () => {
      const paid = await place();
      await move(paid, 'confirmado');
      await move(paid, 'pago');
      const cancelled = await place();
      await move(cancelled, 'cancelado');
      await place({ payment: { method: 'cash' } });
      await restored(api.app);
      expect(await api.app.dueTimes.count(ORDER_HOLDS)).to.equal(0);
      const { state } = await api.app.executor.load(orderAggregate, cancelled);
      expect(state.stockRestored).to.equal(true);
    });
  });
});
