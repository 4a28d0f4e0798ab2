import { expect } from 'chai';
import { holdBack, letGo } from '../../application/restore/held-work.js';
import { Database } from '../../adapters/embedded/driver.js';
import { openEmbedded } from '../../adapters/embedded/open.js';
import type { Position } from '../../ports/event-store.js';
import { silentLogger } from '../../ports/logger.js';
import { deliveries } from '../../read-models/deliveries.js';
import { deliveryAttempts } from '../../read-models/delivery-attempts.js';
import { eventFeeds } from '../../read-models/event-feeds.js';
import { heldWork, type HeldWork } from '../../read-models/held-work.js';
import { imageUploads } from '../../read-models/image-uploads.js';
import { parkedMessages } from '../../read-models/parked-messages.js';
import { repeatedDays, sweep } from '../../workers/retention/sweep.js';
import { DELIVERY_QUEUE, webhookCollections } from '../../workers/webhooks/documents.js';
import { enqueueDeliveries } from '../../workers/webhooks/enqueue.js';
import { openedForEach } from '../support/opened.js';
import { testBox, temporaryStore } from '../conformance/embedded.js';
import { tempFolder } from '../support/temp-folder.js';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const daysAgo = (days: number): string => new Date(NOW - days * DAY_MS).toISOString();
const DAYS = { deliveryLog: 30, parkedMessages: 90, removed: 30 };

describe('retention of the delivery log and of parked work', () => {
  const embedded = openedForEach(temporaryStore);

  async function stored(now = NOW, { readModels, dueTimes } = embedded.store) {
    for (const spec of [...webhookCollections, eventFeeds, parkedMessages, heldWork, imageUploads])
      await readModels.define(spec);
    const app = {
      readModels,
      dueTimes,
      clock: { now: () => now, monotonic: () => now, after: () => () => undefined },
      logger: silentLogger,
    };
    const delivery = async (id: string, status: string, created: string, attempts = 1): Promise<void> => {
      const doc = {
        delivery_id: id,
        status,
        created_at: created,
        integration_uuid: 'i',
        endpoint_uuid: 'e',
        event_id: id,
      };
      await readModels.write('deliveries', [{ id, doc, version: '0000000002' }]);
      await readModels.write(
        'delivery_attempts',
        Array.from({ length: attempts }, (_, i) => ({
          id: `${id}:${i + 1}`,
          doc: { delivery_id: id, number: i + 1 },
          version: '0000000001',
        })),
      );
    };
    const parked = async (id: string, at: string): Promise<void> => {
      const doc = { id, group: 'inbound', value: {}, reason: 'x', parked_at: at };
      await readModels.write(parkedMessages.name, [{ id, doc, version: at }]);
    };
    const left = async (collection: string, ids: readonly string[]): Promise<readonly string[]> =>
      (await readModels.getMany(collection, ids)).map(({ id }) => id);
    return { app, readModels, delivery, parked, left };
  }

  it('removes what has ended long ago with all its attempts, however many there are', async () => {
    const { app, delivery, left } = await stored();
    const ids = Array.from({ length: 120 }, (_, i) => `old-${i}`);
    for (const [i, id] of ids.entries()) {
      await delivery(id, ['delivered', 'failed', 'cancelled'][i % 3]!, daysAgo(31), i === 0 ? 70 : 1);
    }
    const removed = await sweep(app, DAYS);
    expect(removed).to.deep.equal({
      deliveries: 120,
      delivery_attempts: 189,
      event_envelopes: 0,
      parked_messages: 0,
      forgotten: 0,
    });
    expect(await left(deliveries.name, ids)).to.deep.equal([]);
    expect(await left(deliveryAttempts.name, ['old-0:1', 'old-0:70', 'old-7:1'])).to.deep.equal([]);
  });

  it('removes all that is old in one round, however many of one kind there are', async () => {
    const { app, delivery, parked, left } = await stored();
    const ids = Array.from({ length: 130 }, (_, i) => `old-${i}`);
    for (const id of ids) {
      await delivery(id, 'delivered', daysAgo(31));
      await parked(id, daysAgo(91));
    }
    const removed = await sweep(app, DAYS);
    expect(removed).to.deep.equal({
      deliveries: 130,
      delivery_attempts: 130,
      event_envelopes: 0,
      parked_messages: 130,
      forgotten: 0,
    });
    expect(await left(deliveries.name, ids)).to.deep.equal([]);
    expect(await left(parkedMessages.name, ids)).to.deep.equal([]);
  });

  it('keeps what is younger, and whatever is still to be delivered', async () => {
    const { app, delivery, left } = await stored();
    await delivery('pending', 'pending', daysAgo(400));
    await delivery('young', 'delivered', daysAgo(29));
    await delivery('old', 'delivered', daysAgo(30.01));
    await sweep(app, DAYS);
    expect(await left(deliveries.name, ['pending', 'young', 'old'])).to.deep.equal(['pending', 'young']);
    expect(await left(deliveryAttempts.name, ['pending:1', 'young:1'])).to.have.length(2);
  });

  it('lets a removed delivery not come back when its event is told again', async () => {
    const { app, readModels, delivery, left } = await stored();
    await delivery('old', 'delivered', daysAgo(31));
    await sweep(app, DAYS);
    await readModels.write('deliveries', [{ id: 'old', doc: { status: 'pending' }, version: '0000000001' }]);
    expect(await left(deliveries.name, ['old'])).to.deep.equal([]);
  });

  describe('rows of what was removed', () => {
    const REMOVED = { id: 'old', restore_position: '1' };
    const HORIZON = { at: NOW, position: '1' as Position };
    const held = (id: string) =>
      ({
        id,
        kind: 'delivery',
        company_uuid: 'c',
        about: '',
        row: { queue: DELIVERY_QUEUE, id, lane: 'e', dueAt: NOW, payload: {} },
      }) as const;

    /** One of each kind, settled long ago and removed now. */
    async function removed(): Promise<void> {
      const { app, delivery, parked } = await stored();
      await delivery('old', 'delivered', daysAgo(31));
      await parked('old', daysAgo(91));
      await holdBack(app.readModels, HORIZON, [held('old')]);
      await letGo(app.readModels, [REMOVED as HeldWork]);
      await sweep(app, DAYS);
    }

    const later = async (days: number, store = embedded.store) => {
      const there = await stored(NOW + days * DAY_MS, store);
      return { ...there, forgotten: (await sweep(there.app, DAYS)).forgotten };
    };

    /** Enqueues the event's delivery once more; returns whether it would be delivered again. */
    async function toldAgain(days: number, store = embedded.store): Promise<boolean> {
      const { app, left } = await stored(NOW + days * DAY_MS, store);
      const about = { companyUuid: 'c', integrationUuid: 'i', endpointUuid: 'e', eventType: 't', body: '{}' };
      await enqueueDeliveries(app, [{ deliveryId: 'old', eventId: 'old', ...about }]);
      return (await left(deliveries.name, ['old'])).length > 0;
    }

    function rowsInFile(
      dataDir = embedded.dataDir,
      store = embedded.store,
    ): Readonly<Record<string, number>> {
      store.settle();
      const db = new Database(`${dataDir}/recado.db`, { readonly: true });
      try {
        const count = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
        return Object.fromEntries(
          [deliveries.name, deliveryAttempts.name, parkedMessages.name, heldWork.name].map((name) => [
            name,
            count(`rm_${name}_v1`),
          ]),
        );
      } finally {
        db.close();
      }
    }

    const EACH = {
      deliveries: 1,
      delivery_attempts: 1,
      parked_messages: 1,
      held_work: 1,
    };
    const NONE = {
      deliveries: 0,
      delivery_attempts: 0,
      parked_messages: 0,
      held_work: 0,
    };

    it('keep an event that is told again from being delivered again, then go', async () => {
      await removed();
      expect((await later(29)).forgotten).to.equal(0);
      expect(await toldAgain(29)).to.equal(false);
      expect(rowsInFile()).to.deep.equal(EACH);
      expect((await later(31)).forgotten).to.equal(4);
      expect(rowsInFile()).to.deep.equal(NONE);
    });

    it('go in one round, however many there are, and not after a stop', async () => {
      const { app, readModels } = await stored();
      const ids = Array.from({ length: 450 }, (_, n) => `d${n}`);
      await readModels.write(
        deliveries.name,
        ids.map((id) => ({ id, doc: null, version: '0000000009' })),
      );
      await sweep(app, DAYS);
      const { app: then } = await stored(NOW + 31 * DAY_MS);
      expect((await sweep(then, DAYS, () => true)).forgotten).to.equal(0);
      expect((await sweep(then, DAYS)).forgotten).to.equal(450);
      expect(rowsInFile().deliveries).to.equal(0);
    });

    it('that a restore brings back bring no work back, and go again', async () => {
      await removed();
      const folder = await tempFolder();
      embedded.store.settle();
      const before = new Database(`${embedded.dataDir}/recado.db`);
      before.exec(`VACUUM INTO '${folder.path}/recado.db'`);
      before.close();
      expect((await later(31)).forgotten).to.equal(4);
      const restored = await openEmbedded({ dataDir: folder.path, secretBox: testBox });
      try {
        expect(await toldAgain(31, restored)).to.equal(false);
        expect((await later(31, restored)).forgotten).to.equal(4);
        expect(rowsInFile(folder.path, restored)).to.deep.equal(NONE);
      } finally {
        await restored.close();
        await folder.close();
      }
    });

    it('outlast the longest pause between two publications of one message', () => {
      expect(repeatedDays(300_000 * 64)).to.equal(30);
      expect(repeatedDays(DAY_MS * 64)).to.equal(128);
    });

    it('are not made of deliveries that a restore holds, however old: released, they are still to be made', async () => {
      const { app, readModels, delivery, left } = await stored();
      const ids = Array.from({ length: 55 }, (_, n) => `held-${n}`);
      for (const id of [...ids, 'other']) await delivery(id, 'failed', daysAgo(31));
      await holdBack(readModels, HORIZON, ids.map(held));
      expect((await sweep(app, DAYS)).deliveries).to.equal(1);
      expect(await left(deliveries.name, [...ids, 'other'])).to.have.length(55);
      await letGo(
        readModels,
        ids.map((id) => ({ ...REMOVED, id }) as HeldWork),
      );
      expect((await sweep(app, DAYS)).deliveries).to.equal(55);
    });
  });

  it('removes parked work by an age of its own, and stops between two steps when it is asked to', async () => {
    const { app, delivery, parked, left } = await stored();
    await parked('old', daysAgo(91));
    await parked('young', daysAgo(60));
    expect((await sweep(app, DAYS)).parked_messages).to.equal(1);
    expect(await left(parkedMessages.name, ['old', 'young'])).to.deep.equal(['young']);
    await delivery('later', 'delivered', daysAgo(99));
    await sweep(app, DAYS, () => true);
    expect(await left(deliveries.name, ['later'])).to.deep.equal(['later']);
  });
});
