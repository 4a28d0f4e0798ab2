/** A restore is prepared once, by one process, before any worker acts. */
import { expect } from 'chai';
import { newId } from '../../../adapters/clock/system.js';
import { createLeases } from '../../../adapters/embedded/leases.js';
import type { App } from '../../../application/app.js';
import { retryQueue, retryRow } from '../../../application/parked-messages.js';
import {
  markRestored,
  RESTORE_STREAM,
  restoredRecord,
  type Horizon,
} from '../../../application/restore/horizon.js';
import { ORDER_HOLDS } from '../../../application/store/orders/hold.js';
import { ORDER_PLACING } from '../../../application/store/orders/place.js';
import { executionEventExamples } from '../../support/examples/execution.js';
import { exampleIds } from '../../support/examples/example.js';
import { messageEventExamples } from '../../support/examples/message.js';
import { operationEventExamples } from '../../support/examples/operation.js';
import { orderEventExamples } from '../../support/examples/order.js';
import type { DomainEvent } from '../../../domain/kernel/event.js';
import {
  executionStream,
  messageStream,
  operationStream,
  orderStream,
  productStream,
} from '../../../domain/streams.js';
import type { Leases } from '../../../ports/leases.js';
import { silentLogger } from '../../../ports/logger.js';
import { isPrepared, prepareRestore, restoreCollections } from '../../../workers/restore/prepare.js';
import { CATCH_UPS } from '../../../workers/webhooks/catch-up.js';
import { DELIVERY_QUEUE } from '../../../workers/webhooks/documents.js';
import { meta } from '../../conformance/support.js';
import { manualClock, turns } from '../../support/fakes/manual-clock.js';
import { memoryEventStore } from '../../support/memory/event-store.js';
import { restoreStores } from './horizon.js';

const { placed, cancelled } = orderEventExamples;
const order = orderStream.toName(exampleIds.operation);
const message = messageStream.toName(exampleIds.message);

/** Preparing takes no time: a preparation that waits for the clock, or loops, fails the test. */
async function prepared(app: App): Promise<Horizon | null> {
  const late = Symbol('late');
  const first = await Promise.race([prepareRestore(app), turns(5).then(() => late)]);
  if (first === late) throw new Error('the preparation does not end');
  return first as Horizon | null;
}

const due = (queue: string) => ({ queue, id: 'due', lane: 'lane-1', dueAt: 0, payload: {} });

/** A lease is requested once, or again after a wait: more than `most` requests mean an endless loop. */
function leasesAsked(most: number): Leases {
  const leases = createLeases();
  let asked = 0;
  return {
    ...leases,
    acquire(name) {
      asked += 1;
      if (asked > most) throw new Error('the lease is asked for again and again');
      return leases.acquire(name);
    },
  };
}

interface AnyAggregate {
  readonly stream: { toName(id: string): string };
  readonly initial: unknown;
  readonly evolve: (state: unknown, event: unknown) => unknown;
}

function world() {
  const stores = restoreStores();
  const clock = manualClock();
  const store = memoryEventStore();
  const leases = leasesAsked(3);
  const warned: unknown[] = [];
  const app = {
    ...stores.app,
    clock,
    store,
    leases,
    logger: { ...silentLogger, warn: (fields: unknown) => void warned.push(fields) },
    executor: {
      async load({ stream, initial, evolve }: AnyAggregate, uuid: string) {
        const records = await store.read(stream.toName(uuid));
        return { state: records.reduce(evolve, initial) };
      },
      execute: async () => undefined,
    },
  } as unknown as App;
  return {
    ...stores,
    app,
    clock,
    store,
    leases,
    warned,
    async happen(stream: string, ...events: readonly DomainEvent[]): Promise<void> {
      const before = await store.read(stream);
      const records = events.map(({ type, data }) => ({ eventId: newId(), type, data, meta: meta() }));
      await store.append(stream, before.at(-1)?.revision ?? 'no_stream', records);
    },
    restore: (nothing_ran_since = false) =>
      markRestored(
        store,
        restoredRecord({ source: 'backup', nothing_ran_since }, { now: clock.now(), newId }),
      ),
    ids: (queue: string) => stores.rows(queue).map(({ id }) => id),
  };
}

describe('a history that was restored', () => {
  it('has nothing to be prepared where it never was', async () => {
    const { app, leases } = world();
    expect(await prepared(app)).to.equal(null);
    expect(await leases.holders()).to.deep.equal([]);
  });

  it('is prepared once, and again behind the next restore', async () => {
    const w = world();
    await w.restore();
    const rowsOf = () => w.ids(CATCH_UPS);
    await w.dueTimes.schedule([due(CATCH_UPS)]);
    const horizon = (await prepared(w.app))!;
    expect(horizon).to.deep.include({ at: w.clock.now(), nothingRanSince: false });
    expect([rowsOf(), await isPrepared(w.readModels, horizon)]).to.deep.equal([[], true]);

    await w.dueTimes.schedule([due(CATCH_UPS)]);
    expect(await prepared(w.app)).to.deep.equal(horizon);
    expect(rowsOf(), 'what came since acts as ever').to.deep.equal(['due']);

    await w.restore();
    const next = await prepared(w.app);
    expect([rowsOf(), next!.position > horizon.position]).to.deep.equal([[], true]);
  });

  it('is not prepared until all is held, and the next process begins anew', async () => {
    const w = world();
    await w.restore();
    await w.dueTimes.schedule([due(CATCH_UPS)]);
    const broken = new Error('it has died');
    const cancel = () => Promise.reject(broken);
    const dying = { ...w.app, dueTimes: { ...w.dueTimes, cancel } } as App;
    expect(await prepared(dying).catch((error: unknown) => error)).to.equal(broken);
    expect(await w.leases.holders()).to.deep.equal([]);
    // The claim of the dead process ends.
    await w.dueTimes.cancel(CATCH_UPS, ['due']);
    await w.dueTimes.schedule([due(CATCH_UPS)]);
    const horizon = (await prepared(w.app))!;
    expect([w.ids(CATCH_UPS), await isPrepared(w.readModels, horizon)]).to.deep.equal([[], true]);
    expect(await w.leases.holders()).to.deep.equal([]);
  });

  it('is waited for while another process prepares it, with a look every half second', async () => {
    const w = world();
    await w.restore();
    await w.dueTimes.schedule([due(CATCH_UPS)]);
    const lease = (await w.leases.acquire('restore'))!;
    const done: unknown[] = [];
    const note = (result: unknown): void => void done.push(result);
    prepareRestore(w.app).then(note, note);
    await w.clock.advance(499);
    expect([done, w.ids(CATCH_UPS)]).to.deep.equal([[], ['due']]);
    expect(w.clock.pending()).to.equal(1);
    await lease.release();
    await turns();
    expect(w.ids(CATCH_UPS)).to.deep.equal(['due']);
    await w.clock.advance(1);
    expect(w.ids(CATCH_UPS)).to.deep.equal([]);
    expect(done).to.have.length(1);
    expect(done[0]).to.include({ eventId: (await w.store.read(RESTORE_STREAM))[0]!.eventId });
  });

  it('is prepared by another process meanwhile: nothing is held a second time', async () => {
    const w = world();
    await w.restore();
    // Another process prepares the restore between the first check and the lease.
    const acquire: App['leases']['acquire'] = async (name) => {
      await prepared(w.app);
      await w.dueTimes.schedule([due(CATCH_UPS)]);
      return w.leases.acquire(name);
    };
    await prepared({ ...w.app, leases: { ...w.leases, acquire } });
    expect(w.ids(CATCH_UPS)).to.deep.equal(['due']);
  });

  it('has deliveries, retries and catching up ended, unless nothing ran since', async () => {
    for (const nothingRan of [false, true]) {
      const w = world();
      await w.restore(nothingRan);
      const queues = [CATCH_UPS, DELIVERY_QUEUE, retryQueue('flows')];
      await w.dueTimes.schedule(queues.map(due).map((row) => ({ ...row, payload: { value: {} } })));
      await prepared(w.app);
      for (const queue of queues) expect(w.ids(queue), queue).to.deep.equal(nothingRan ? ['due'] : []);
    }
  });

  it('has sends and flows held that were under way, and says when it was restored', async () => {
    const w = world();
    const { created, started } = executionEventExamples;
    await w.happen(operationStream.toName(exampleIds.operation), operationEventExamples.accepted);
    await w.happen(executionStream.toName(exampleIds.execution), created, started);
    await w.restore();
    await prepared(w.app);
    expect(w.held().map(({ kind, id }) => [kind, id])).to.deep.equal([
      ['send', exampleIds.operation],
      ['flow', exampleIds.execution],
    ]);
    const restored_at = new Date(w.clock.now()).toISOString();
    expect(w.warned).to.deep.equal([{ restored_at }, { restored_at }]);
  });

  it('keeps where it stands in a collection without documents, beside the held work', () => {
    expect(restoreCollections.map(({ name }) => name)).to.deep.equal(['held_work', 'restores']);
  });
});

describe('orders and files behind a restore', () => {
  const until = (ms: number) => new Date(ms).toISOString();
  const unpaid = (at: number) => ({
    ...placed,
    data: { ...placed.data, hold_until: until(at), conversation_uuid: null },
  });

  it('are cancelled for want of money when they come due later, and held when they were due', async () => {
    const cases = [
      [1, false, [[exampleIds.operation], []]],
      [0, false, [[], [exampleIds.operation]]],
      [-1, false, [[], [exampleIds.operation]]],
      [-1, true, [[exampleIds.operation], []]],
    ] as const;
    for (const [after, nothingRan, [scheduled, held]] of cases) {
      const w = world();
      await w.happen(order, unpaid(w.clock.now() + after));
      await w.restore(nothingRan);
      await prepared(w.app);
      expect(w.ids(ORDER_HOLDS), `due after ${after}`).to.deep.equal(scheduled);
      expect(w.held().map(({ id }) => id)).to.deep.equal(held);
      for (const work of w.held()) {
        expect(work).to.include({ kind: 'order', company_uuid: meta().company });
        expect(work.about).to.include('not paid in time');
        expect(work.row).to.deep.equal({
          queue: ORDER_HOLDS,
          id: exampleIds.operation,
          lane: meta().company,
          dueAt: w.clock.now() + after,
          payload: { order_uuid: exampleIds.operation, company: meta().company },
        });
      }
    }
  });

  it('that were half placed are placed or given back, and cancelled ones give their stock back', async () => {
    // The clock is ahead of, equal to, or behind the clock that marked the restore.
    for (const [sinceMs, dueAfterMs] of [
      [5_000, 5_000],
      [0, 1],
      [-5_000, 1],
    ] as const) {
      const w = world();
      const taken = { type: 'StockTaken', data: { order_uuid: exampleIds.execution } };
      await w.happen(productStream.toName(exampleIds.template), taken);
      await w.happen(order, unpaid(w.clock.now() + 60_000), cancelled);
      await w.restore();
      const dueAt = w.clock.now() + dueAfterMs;
      w.clock.stepWall(sinceMs);
      await prepared(w.app);
      const about = { order_uuid: exampleIds.execution, company: meta().company };
      expect(w.rows(ORDER_PLACING)).to.deep.equal([
        {
          queue: ORDER_PLACING,
          id: exampleIds.execution,
          lane: meta().company,
          dueAt,
          payload: { ...about, product_uuids: [exampleIds.template] },
        },
      ]);
      const record = (await w.store.read(order)).at(-1)!;
      expect(w.rows(retryQueue('orders')).map((row) => [row.id, row.dueAt])).to.deep.equal([
        [record.eventId, dueAt],
      ]);
      expect(w.held()).to.deep.equal([]);
    }
  });

  it('that were not fetched are fetched again', async () => {
    const w = world();
    await w.happen(message, messageEventExamples.receivedImage);
    await w.restore();
    await prepared(w.app);
    const [row] = w.rows(retryQueue('media'));
    const [record] = await w.store.read(message);
    expect(row).to.deep.equal(
      retryRow('media', record!.eventId, row!.payload['value'] as Record<string, unknown>, w.clock.now()),
    );
    expect(row!.payload['value']).to.include({ stream: message, event_id: record!.eventId });
  });
});
