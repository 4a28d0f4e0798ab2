import { expect } from 'chai';
import { parkedMessages } from '../../application/parked-messages.js';
import { silentLogger } from '../../ports/logger.js';
import { sweep } from '../../workers/retention/sweep.js';
import { DELIVERIES, DELIVERY_ATTEMPTS, webhookCollections } from '../../workers/webhooks/documents.js';
import { openedForEach } from '../support/opened.js';
import { temporaryStore } from '../conformance/embedded.js';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const daysAgo = (days: number): string => new Date(NOW - days * DAY_MS).toISOString();
const DAYS = { deliveryLog: 30, parkedMessages: 90 };

describe('retention of the delivery log and of parked work', () => {
  const embedded = openedForEach(temporaryStore);

  async function stored() {
    const { readModels } = embedded.store;
    for (const spec of [...webhookCollections, parkedMessages]) await readModels.define(spec);
    const app = {
      readModels,
      clock: { now: () => NOW, monotonic: () => NOW, after: () => () => undefined },
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
      await readModels.write(DELIVERIES, [{ id, doc, version: '0000000002' }]);
      await readModels.write(
        DELIVERY_ATTEMPTS,
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
    expect(removed).to.deep.equal({ deliveries: 120, delivery_attempts: 189, parked_messages: 0 });
    expect(await left(DELIVERIES, ids)).to.deep.equal([]);
    expect(await left(DELIVERY_ATTEMPTS, ['old-0:1', 'old-0:70', 'old-7:1'])).to.deep.equal([]);
  });

  it('removes all that is old in one round, however many of one kind there are', async () => {
    const { app, delivery, parked, left } = await stored();
    const ids = Array.from({ length: 130 }, (_, i) => `old-${i}`);
    for (const id of ids) {
      await delivery(id, 'delivered', daysAgo(31));
      await parked(id, daysAgo(91));
    }
    const removed = await sweep(app, DAYS);
    expect(removed).to.deep.equal({ deliveries: 130, delivery_attempts: 130, parked_messages: 130 });
    expect(await left(DELIVERIES, ids)).to.deep.equal([]);
    expect(await left(parkedMessages.name, ids)).to.deep.equal([]);
  });

  it('keeps what is younger, and whatever is still to be delivered', async () => {
    const { app, delivery, left } = await stored();
    await delivery('pending', 'pending', daysAgo(400));
    await delivery('young', 'delivered', daysAgo(29));
    await delivery('old', 'delivered', daysAgo(30.01));
    await sweep(app, DAYS);
    expect(await left(DELIVERIES, ['pending', 'young', 'old'])).to.deep.equal(['pending', 'young']);
    expect(await left(DELIVERY_ATTEMPTS, ['pending:1', 'young:1'])).to.have.length(2);
  });

  it('lets a removed delivery not come back when its event is told again', async () => {
    const { app, readModels, delivery, left } = await stored();
    await delivery('old', 'delivered', daysAgo(31));
    await sweep(app, DAYS);
    await readModels.write(DELIVERIES, [{ id: 'old', doc: { status: 'pending' }, version: '0000000001' }]);
    expect(await left(DELIVERIES, ['old'])).to.deep.equal([]);
  });

  it('removes parked work by an age of its own, and stops between two steps when it is asked to', async () => {
    const { app, delivery, parked, left } = await stored();
    await parked('old', daysAgo(91));
    await parked('young', daysAgo(60));
    expect((await sweep(app, DAYS)).parked_messages).to.equal(1);
    expect(await left(parkedMessages.name, ['old', 'young'])).to.deep.equal(['young']);
    await delivery('later', 'delivered', daysAgo(99));
    await sweep(app, DAYS, () => true);
    expect(await left(DELIVERIES, ['later'])).to.deep.equal(['later']);
  });
});
