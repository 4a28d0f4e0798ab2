/** Events of a part of the history that an endpoint receives once more, piece by piece. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import type { RecordedEvent } from '../../../application/codec.js';
import { webhookEventId } from '../../../application/provisioning/webhooks.js';
import { contactEventExamples } from '../../support/examples/contact.js';
import {
  contactStream,
  conversationStream,
  integrationStream,
  messageStream,
} from '../../../domain/streams.js';
import { conversationEventExamples } from '../../support/examples/conversation.js';
import { integrationEventExamples } from '../../support/examples/integration.js';
import { exampleIds } from '../../support/examples/example.js';
import { messageEventExamples } from '../../support/examples/message.js';
import { START, StoreUnavailable, type Position, type StoredRecord } from '../../../ports/event-store.js';
import { ReadModelBehind } from '../../../ports/read-models.js';
import { contacts } from '../../../read-models/contacts.js';
import { conversations } from '../../../read-models/conversations.js';
import { projections } from '../../../projections/catalog.js';
import { foldBatch } from '../../../projections/fold.js';
import { createReplay } from '../../../projections/replay.js';
import {
  replayWebhooks,
  type KnownDelivery,
  type ReplayRequest,
} from '../../../workers/notifications/replay.js';
import { deliveryIdOf } from '../../../application/webhooks/delivery-ids.js';
import type { DeliveryOrder } from '../../../workers/notifications/delivery-order.js';
import { fakeBarrier } from '../../support/fakes/barrier.js';
import { memoryReadModels } from '../../support/memory/read-models.js';
import { handled, history } from '../../support/projections.js';

const contact = contactStream.toName(exampleIds.contact);
const conversation = conversationStream.toName(exampleIds.conversation);
const message = messageStream.toName(exampleIds.message);
const integration = integrationStream.toName(exampleIds.integration);
const EVENTS = history(
  [contact, contactEventExamples.created],
  [conversation, conversationEventExamples.opened],
  [message, messageEventExamples.received],
  [message, messageEventExamples.edited],
  [integration, integrationEventExamples.testRequested],
  [conversation, conversationEventExamples.resolved],
);
const RECORDS = EVENTS.map(({ record }) => record);
const [, OPENED, RECEIVED, EDITED, , RESOLVED] = RECORDS;
const END = RECORDS.at(-1)!.position;

const ENDPOINT = {
  endpoint_uuid: exampleIds.endpoint,
  integration_uuid: exampleIds.integration,
  company_uuid: exampleIds.company,
  event_types: null,
};

const deliveryOf = ({ eventId, position }: StoredRecord, nearAfter = Infinity): string =>
  deliveryIdOf(
    { eventId: webhookEventId(eventId), sequence: Number(position) },
    exampleIds.endpoint,
    nearAfter,
  );

async function world(records: readonly StoredRecord[] = RECORDS, nearAfter = Infinity) {
  const readModels = memoryReadModels();
  const barrier = fakeBarrier();
  const orders: DeliveryOrder[] = [];
  const known = new Map<string, KnownDelivery>();
  const skipped = new Set<string>();
  let batches = 0;
  const app = {
    readModels,
    barrier,
    envelopesOrderedAfter: () => Infinity,
    deliveriesNearAfter: () => nearAfter,
    store: {
      sequenceOf: Number,
      read: async (stream: string, { limit }: { limit: number } = { limit: Infinity }) =>
        records.filter((record) => record.stream === stream).slice(0, limit),
      readAll: async ({ after, limit }: { after: Position; limit: number }) => {
        const rest = records.filter(({ position }) => position > after);
        const page = rest.slice(0, limit);
        return { records: page, next: page.at(-1)?.position ?? after, atEnd: rest.length <= limit };
      },
    },
    codec: {
      decodeAll: async (some: readonly StoredRecord[]): Promise<readonly RecordedEvent[]> =>
        some.map((record) => ({ ...EVENTS.find(({ event }) => event.type === record.type)!, record })),
    },
  } as unknown as App;
  const skips = {
    has: (projection: string) => skipped.has(projection),
    refresh: async (): Promise<void> => undefined,
  };
  Object.assign(app, createReplay(projections, { ...app, skips }));
  for (const name of ['contacts', 'conversations']) {
    const projection = projections.find((one) => one.name === name)!;
    await readModels.write(
      name,
      foldBatch(projection, handled(projection, EVENTS), () => undefined),
    );
  }
  return {
    readModels,
    barrier,
    orders,
    known,
    skipped,
    batches: () => batches,
    replay: (request: Partial<ReplayRequest> = {}) =>
      replayWebhooks(
        {
          app,
          known: async (ids) => new Map([...known].filter(([id]) => ids.includes(id))),
          enqueue: async (some) => {
            batches += 1;
            orders.push(...some);
          },
        },
        { endpoint: ENDPOINT, after: START, upTo: END, replayUuid: 'r1', deliver: true, ...request },
      ),
    types: () => orders.map(({ eventType }) => eventType),
  };
}

describe('webhooks that are told once more', () => {
  it('are all of the part of the history that integrators hear of, in its order, but for tests', async () => {
    const { replay, orders, types, batches } = await world();
    expect(await replay()).to.deep.equal({ position: END, first: 4, again: 0, pending: 0, leftOut: 0 });
    expect(types()).to.deep.equal([
      'conversation.created',
      'message.received',
      'message.updated',
      'conversation.updated',
    ]);
    expect(batches()).to.equal(1);
    expect(orders[1]).to.deep.include({
      companyUuid: exampleIds.company,
      integrationUuid: exampleIds.integration,
      endpointUuid: exampleIds.endpoint,
      contactUuid: exampleIds.contact,
      eventId: webhookEventId(RECEIVED!.eventId),
      correlationId: 'c',
    });
    expect(JSON.parse(orders[1]!.body)).to.deep.include({
      id: webhookEventId(RECEIVED!.eventId),
      type: 'message.received',
      sequence: Number(RECEIVED!.position),
    });
  });

  it('lie between the two places, the first of them excluded', async () => {
    const { replay, types } = await world();
    const result = await replay({ after: OPENED!.position, upTo: EDITED!.position });
    expect(result).to.deep.include({ position: EDITED!.position, first: 2 });
    expect(types()).to.deep.equal(['message.received', 'message.updated']);
  });

  it('are of this company, and of the types that the endpoint wants', async () => {
    const w = await world();
    expect(await w.replay({ endpoint: { ...ENDPOINT, event_types: ['message.updated'] } })).to.include({
      first: 1,
    });
    expect(w.types()).to.deep.equal(['message.updated']);
    expect(await w.replay({ endpoint: { ...ENDPOINT, company_uuid: exampleIds.channel } })).to.include({
      first: 0,
    });
  });

  it('have delivery ids of the replay: the same piece makes them once, another replay anew', async () => {
    const { replay, orders } = await world();
    for (const replayUuid of ['r1', 'r1', 'r2']) await replay({ replayUuid });
    const ids = orders.map(({ deliveryId }) => deliveryId);
    expect(ids.slice(4, 8)).to.deep.equal(ids.slice(0, 4));
    expect(new Set(ids).size).to.equal(8);
    expect(ids).not.to.include(deliveryOf(OPENED!));
  });

  it('are found on both sides of the event after which ids begin like their event', async () => {
    const nearAfter = Number(RECEIVED!.position);
    const { replay, orders, known } = await world(RECORDS, nearAfter);
    for (const record of [OPENED!, RECEIVED!, EDITED!])
      known.set(deliveryOf(record, nearAfter), { status: 'delivered', body: '{"id":"known"}' });
    expect(await replay()).to.include({ first: 1, again: 3 });
    const isNear = orders.map(({ deliveryId, eventId }) => deliveryId.startsWith(eventId.slice(0, 13)));
    expect(isNear).to.deep.equal([false, false, true, true]);
    known.set(deliveryOf(RESOLVED!, nearAfter), { status: 'pending', body: '{}' });
    expect(await replay({ asUsual: true })).to.include({ first: 0, again: 0, pending: 4 });
  });

  it('are only counted where that is all that was asked for', async () => {
    const { replay, batches } = await world();
    expect(await replay({ deliver: false })).to.include({ first: 4 });
    expect(batches()).to.equal(0);
  });

  it('have the bytes of before where there are any, and are not told beside a delivery under way', async () => {
    const { replay, orders, known } = await world();
    known.set(deliveryOf(RECEIVED!), { status: 'delivered', body: 'of before' });
    known.set(deliveryOf(EDITED!), { status: 'pending', body: 'under way' });
    expect(await replay()).to.deep.include({ first: 2, again: 1, pending: 1, leftOut: 0 });
    expect(orders).to.have.length(3);
    expect(orders[1]).to.deep.include({
      body: 'of before',
      contactUuid: null,
      eventId: webhookEventId(RECEIVED!.eventId),
    });
  });

  it('leave out what was told of a person who was erased, and what would be told of one', async () => {
    const w = await world();
    w.known.set(deliveryOf(RECEIVED!), { status: 'delivered', body: '' });
    const stored = (await w.readModels.get(contacts.name, exampleIds.contact))!;
    const erased = { ...stored.doc, erased_at: '2026-03-02T12:00:00.000Z' };
    await w.readModels.write(contacts.name, [{ id: stored.id, doc: erased, version: '999999999999' }]);
    expect(await w.replay()).to.deep.include({ first: 0, again: 0, leftOut: 4 });
    expect(w.batches(), 'nothing is asked for').to.equal(0);
  });

  it('leave out what an operator skipped, and wait for what is not there yet', async () => {
    const w = await world();
    await w.readModels.write(conversations.name, [
      { id: exampleIds.conversation, doc: null, version: '999999999999' },
    ]);
    const error = await w.replay().catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(StoreUnavailable);
    expect((error as Error).message).to.include('the read model conversations does not show this event yet');
    w.skipped.add('conversations');
    expect(await w.replay()).to.deep.include({ first: 0, leftOut: 4 });
  });

  it('wait for read models that are behind their event', async () => {
    const w = await world();
    w.barrier.endAt('conversations', RESOLVED!.position);
    expect((await w.replay({ upTo: EDITED!.position })).first).to.equal(3);
    expect(await w.replay().catch((error: unknown) => error)).to.be.instanceOf(ReadModelBehind);
  });

  it('end a piece at its limit of deliveries, whatever comes before them', async () => {
    const { replay, orders } = await world();
    const endpoint = { ...ENDPOINT, event_types: ['message.updated'] };
    const first = await replay({ endpoint, limit: 1 });
    expect([first.first, first.position]).to.deep.equal([1, EDITED!.position]);
    const rest = await replay({ endpoint, limit: 1, after: first.position });
    expect([rest.first, rest.position, orders.length]).to.deep.equal([0, END, 1]);
  });

  for (const [what, one, events, position] of [
    ['after the page with its two hundredth event', RECEIVED!, 450, 200],
    ['after ten pages with nothing to tell', RECORDS[0]!, 2_500, 2_000],
  ] as const) {
    it(`end a piece ${what}`, async () => {
      const many = Array.from({ length: events }, (_, n): StoredRecord => {
        const at = String(n + 1).padStart(12, '0') as Position;
        return { ...one, stream: `${one.stream.slice(0, -4)}${String(n).padStart(4, '0')}`, position: at };
      });
      const { replay } = await world(many);
      const result = await replay({ upTo: String(events).padStart(12, '0') as Position, deliver: false });
      expect(Number(result.position)).to.equal(position);
      expect(result.first).to.equal(one === RECEIVED ? 200 : 0);
    });
  }
});
