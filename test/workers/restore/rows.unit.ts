/** Rows that came with the copy: those that are held, the kind of held work, and the outcome of the rest. */
import { expect } from 'chai';
import { SYSTEM_COMPANY } from '../../../application/app.js';
import { retryQueue, retryRow } from '../../../application/parked-messages.js';
import {
  FLOWS,
  INTAKE,
  MEDIA,
  NOTIFICATIONS,
  ORDERS,
  SENDS,
  type EventPointer,
} from '../../../application/relay.js';
import { reactionId } from '../../../application/restore/held-work.js';
import { exampleIds } from '../../support/examples/example.js';
import { messageStream, orderStream } from '../../../domain/streams.js';
import type { DueEntry } from '../../../ports/due-times.js';
import type { Position } from '../../../ports/event-store.js';
import type { ConsumeOptions, TopicMessage, Topics } from '../../../ports/topics.js';
import { deliveries } from '../../../read-models/deliveries.js';
import { INBOUND_UPDATES } from '../../../workers/inbound/hand-on.js';
import {
  endCatchUps,
  HELD_DELIVERY,
  holdDeliveries,
  holdingBack,
  holdRetries,
} from '../../../workers/restore/rows.js';
import { CATCH_UPS } from '../../../workers/webhooks/catch-up.js';
import { DELIVERY_QUEUE } from '../../../workers/webhooks/documents.js';
import { HORIZON, RESTORED_AT, restoreStores } from './horizon.js';

const BEFORE = '000000000050' as Position;
const AFTER = '000000000101' as Position;
const MESSAGE = messageStream.toName(exampleIds.message);

const pointer = (eventId: string, position = BEFORE, stream = MESSAGE): EventPointer => ({
  stream,
  revision: 0,
  position,
  event_id: eventId,
  company: 'company-1',
  correlation_id: 'c',
});
const row = (queue: string, id: string, dueAt: number, payload: DueEntry['payload'] = {}): DueEntry => ({
  queue,
  id,
  lane: 'lane-1',
  dueAt,
  payload,
});

describe('work that was to be tried again before a restore', () => {
  it('is held with its row, group by group of those that act on somebody', async () => {
    for (const group of ['inbound', 'notifications', 'orders', 'flows']) {
      const { app, dueTimes, rows, held } = restoreStores();
      const due = retryRow(group, 'due', pointer('e1'), RESTORED_AT - 1, 3);
      const now = retryRow(group, 'now', pointer('e2'), RESTORED_AT);
      const later = retryRow(group, 'later', pointer('e3'), RESTORED_AT + 1);
      await dueTimes.schedule([due, now, later]);
      await holdRetries(app, HORIZON);
      expect(rows(retryQueue(group))).to.deep.equal([later]);
      const common = {
        kind: 'reaction',
        company_uuid: 'company-1',
        about: `${group}: ${MESSAGE}`,
        restored_at: '2026-03-02T15:00:00.000Z',
        restore_position: HORIZON.position,
      };
      expect(held(), group).to.deep.equal([
        { ...common, id: reactionId(group, 'e1'), row: due, due_at: '2026-03-02T14:59:59.999Z' },
        { ...common, id: reactionId(group, 'e2'), row: now, due_at: '2026-03-02T15:00:00.000Z' },
      ]);
    }
  });

  it('is left alone where nobody outside notices it twice', async () => {
    const { app, dueTimes, rows, held } = restoreStores();
    await dueTimes.schedule([retryRow('media', 'due', pointer('e1'), RESTORED_AT - 1)]);
    await holdRetries(app, HORIZON);
    expect([rows(retryQueue('media')).length, held()]).to.deep.equal([1, []]);
  });

  it('is held under the name of its row, for no company, where it does not say what it is about', async () => {
    const { app, dueTimes, held } = restoreStores();
    await dueTimes.schedule([retryRow('flows', 'row-1', {}, RESTORED_AT)]);
    await holdRetries(app, HORIZON);
    expect(held()).to.have.length(1);
    expect(held()[0]).to.include({
      id: reactionId('flows', 'row-1'),
      company_uuid: SYSTEM_COMPANY,
      about: 'flows: ',
    });
  });

  it('holds webhooks of WhatsApp that were to be read as what is to be tried again', async () => {
    const { app, dueTimes, rows, held } = restoreStores();
    const value = pointer('e1');
    await dueTimes.schedule([
      row(INBOUND_UPDATES, 'u1', RESTORED_AT - 5, { value }),
      row(INBOUND_UPDATES, 'u2', RESTORED_AT + 1, { value }),
    ]);
    await holdRetries(app, HORIZON);
    expect(rows(INBOUND_UPDATES).map(({ id }) => id)).to.deep.equal(['u2']);
    expect(held().map((work) => work.row)).to.deep.equal([retryRow('inbound', 'u1', value, RESTORED_AT - 5)]);
    expect(held()[0]).to.include({ id: reactionId('inbound', 'e1'), about: `inbound: ${MESSAGE}` });
  });

  it('is held all of it, however much there is', async () => {
    const { app, dueTimes, rows, held } = restoreStores();
    const many = Array.from({ length: 250 }, (_, n) =>
      retryRow('orders', `r${n}`, pointer(`e${n}`), RESTORED_AT - 1),
    );
    const updates = Array.from({ length: 150 }, (_, n) => ({
      ...row(INBOUND_UPDATES, `u${n}`, RESTORED_AT - 1, { value: pointer(`u${n}`) }),
      lane: `lane ${n % 2}`,
    }));
    await dueTimes.schedule([...many, ...updates]);
    await holdRetries(app, HORIZON);
    expect(held()).to.have.length(400);
    expect([rows(retryQueue('orders')), rows(INBOUND_UPDATES)]).to.deep.equal([[], []]);
  });
});

describe('deliveries that were due before a restore', () => {
  const document = (id: string, fields: Readonly<Record<string, unknown>>) => ({
    id,
    version: '0000000007',
    doc: {
      delivery_id: id,
      company_uuid: 'company-1',
      endpoint_uuid: 'endpoint-1',
      event_type: 'message.received',
      status: 'pending',
      body: '{}',
      next_attempt_at: '2026-03-02T14:00:00.000Z',
      last_error: 'answered 500',
      ...fields,
    },
  });

  it('are held with their rows and show as failed, with the reason', async () => {
    const { app, dueTimes, readModels, rows, held } = restoreStores();
    const due = row(DELIVERY_QUEUE, 'd1', RESTORED_AT);
    const later = row(DELIVERY_QUEUE, 'd2', RESTORED_AT + 1);
    await dueTimes.schedule([due, later]);
    await readModels.write('deliveries', [document('d1', {}), document('d2', {})]);
    await holdDeliveries(app, HORIZON);
    expect(rows(DELIVERY_QUEUE)).to.deep.equal([later]);
    expect(held().map(({ restored_at: _at, restore_position: _place, ...work }) => work)).to.deep.equal([
      {
        id: 'd1',
        kind: 'delivery',
        company_uuid: 'company-1',
        about: 'message.received to endpoint endpoint-1',
        due_at: '2026-03-02T15:00:00.000Z',
        row: due,
      },
    ]);
    const stored = readModels.all(deliveries.name);
    expect(stored.get('d1')).to.deep.equal({
      ...document('d1', { status: 'failed', next_attempt_at: null, last_error: HELD_DELIVERY }),
      version: '0000000008',
    });
    expect(stored.get('d2')).to.deep.equal(document('d2', {}));
  });

  it('are held once more where it was broken off, and not where they had ended', async () => {
    const { app, dueTimes, readModels, rows, held } = restoreStores();
    const ended = [
      document('delivered', { status: 'delivered' }),
      document('failed', { status: 'failed' }),
      document('broken off', { status: 'failed', last_error: HELD_DELIVERY }),
    ];
    await readModels.write('deliveries', ended);
    await dueTimes.schedule(
      [...ended.map(({ id }) => id), 'gone'].map((id) => row(DELIVERY_QUEUE, id, RESTORED_AT)),
    );
    await holdDeliveries(app, HORIZON);
    expect(held().map(({ id }) => id)).to.deep.equal(['broken off']);
    expect(rows(DELIVERY_QUEUE)).to.deep.equal([]);
    expect([...readModels.all(deliveries.name).values()]).to.deep.equal(ended);
  });

  it('are not caught up with: what an endpoint missed stays cancelled', async () => {
    const { app, dueTimes, rows } = restoreStores();
    const later = row(CATCH_UPS, 'later', RESTORED_AT + 1);
    await dueTimes.schedule([row(CATCH_UPS, 'due', RESTORED_AT), later]);
    await endCatchUps(app, HORIZON);
    expect(rows(CATCH_UPS)).to.deep.equal([later]);
  });
});

describe('messages of topics behind a restore', () => {
  /** A worker's consumer of a topic, which receives these messages. */
  async function consumed(topic: string, values: readonly EventPointer[]) {
    const stores = restoreStores();
    const batches: unknown[][] = [];
    const published: unknown[] = [];
    let options: ConsumeOptions | undefined;
    const inner = {
      publish: async (messages: readonly unknown[]) => void published.push(...messages),
      consume: (given: ConsumeOptions) => ((options = given), 'a consumer'),
    };
    const topics = holdingBack(inner as unknown as Topics, stores.app, HORIZON);
    const given: ConsumeOptions = {
      topic,
      group: `group of ${topic}`,
      maxBatch: 7,
      handle: async (batch) => void batches.push(batch.map(({ value }) => value['event_id'])),
    };
    expect(topics.consume(given)).to.equal('a consumer');
    expect(options).to.include({ topic, group: `group of ${topic}`, maxBatch: 7 });
    await topics.publish([{ topic, key: 'k', value: {} }]);
    expect(published).to.have.length(1);
    const batch = values.map((value, n): TopicMessage => ({ topic, key: 'k', value, offset: `0:${n}` }));
    await options!.handle(batch);
    return { ...stores, batches };
  }

  it('are held when they are about events before it, and handled when they are not', async () => {
    for (const topic of [INTAKE, NOTIFICATIONS, ORDERS, FLOWS]) {
      const values = [pointer('old'), pointer('last', HORIZON.position), pointer('new', AFTER)];
      const { batches, held } = await consumed(topic, values);
      expect(batches, topic).to.deep.equal([['new']]);
      const group = `group of ${topic}`;
      expect(held().map(({ id }) => id)).to.deep.equal([reactionId(group, 'old'), reactionId(group, 'last')]);
      expect(held()[0]!.row).to.deep.equal(retryRow(group, '0:0', values[0]!, RESTORED_AT));
    }
  });

  it('are not handled where all of them are from before it', async () => {
    const { batches } = await consumed(FLOWS, [pointer('old')]);
    expect(batches).to.deep.equal([]);
  });

  it('hold nothing where all of them are new', async () => {
    const { batches, held } = await consumed(FLOWS, [pointer('new', AFTER), pointer('newer', AFTER)]);
    expect(batches).to.deep.equal([['new', 'newer']]);
    expect(held()).to.deep.equal([]);
  });

  it('that are found in streams are passed over: sends, and orders', async () => {
    const sends = await consumed(SENDS, [pointer('old'), pointer('new', AFTER)]);
    expect([sends.batches, sends.held()]).to.deep.equal([[['new']], []]);
    const order = orderStream.toName(exampleIds.operation);
    const orders = await consumed(ORDERS, [pointer('order', BEFORE, order), pointer('cart')]);
    expect(orders.held().map(({ id }) => id)).to.deep.equal([reactionId(`group of ${ORDERS}`, 'cart')]);
    const others = await consumed(FLOWS, [pointer('order', BEFORE, order)]);
    expect(others.held()).to.have.length(1);
  });

  it('about files are handled as ever: nobody outside notices them twice', async () => {
    const { batches, held } = await consumed(MEDIA, [pointer('old'), pointer('new', AFTER)]);
    expect([batches, held()]).to.deep.equal([[['old', 'new']], []]);
  });
});
