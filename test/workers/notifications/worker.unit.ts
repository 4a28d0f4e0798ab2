import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import type { RecordedEvent } from '../../../application/codec.js';
import { parkedMessages } from '../../../application/parked-messages.js';
import type { EventPointer } from '../../../application/relay.js';
import { contactEventExamples } from '../../support/examples/contact.js';
import { contactStream } from '../../../domain/contact/stream.js';
import { conversationEventExamples } from '../../support/examples/conversation.js';
import { conversationStream } from '../../../domain/conversation/stream.js';
import { exampleIds } from '../../support/examples/example.js';
import { messageEventExamples } from '../../support/examples/message.js';
import { messageStream } from '../../../domain/message/stream.js';
import type { StoredRecord } from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import type { ConsumeOptions } from '../../../ports/topics.js';
import { projections } from '../../../projections/catalog.js';
import { foldBatch } from '../../../projections/fold.js';
import type { AnyProjection } from '../../../projections/projection.js';
import { createReplay } from '../../../projections/replay.js';
import type { Skips } from '../../../projections/skips.js';
import { webhookTypeOf, type NotifiableEvent } from '../../../workers/notifications/event-kind.js';
import type { DeliveryOrder } from '../../../workers/notifications/told.js';
import { startNotificationWorker } from '../../../workers/notifications/worker.js';
import { fakeBarrier } from '../../support/fakes/barrier.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { memoryReadModels } from '../../support/memory/read-models.js';
import { handled, history } from '../../support/projections.js';

const conversation = conversationStream.toName(exampleIds.conversation);
const EVENTS = history(
  [contactStream.toName(exampleIds.contact), contactEventExamples.created],
  [conversation, conversationEventExamples.opened],
  [messageStream.toName(exampleIds.message), messageEventExamples.received],
  [conversation, conversationEventExamples.resolved],
);
const [, OPENED, RECEIVED, RESOLVED] = EVENTS.map(({ record }) => record);

const named = (name: string): AnyProjection => projections.find((projection) => projection.name === name)!;
const contacts = named('contacts');
const conversations = named('conversations');

const ENDPOINT = {
  endpoint_uuid: exampleIds.endpoint,
  integration_uuid: exampleIds.integration,
  company_uuid: exampleIds.company,
  event_types: null,
};

/** A worker beside read models that show only what the test has them show. */
function world(stored: readonly StoredRecord[] = EVENTS.map(({ record }) => record)) {
  const clock = manualClock();
  const readModels = memoryReadModels();
  const told: string[] = [];
  const there = [...stored];
  const barrier = fakeBarrier();
  const endpoints = [ENDPOINT];
  let hand: ConsumeOptions['handle'] = async () => undefined;
  const app = {
    clock,
    logger: silentLogger,
    dueTimes: memoryDueTimes(() => clock.now()),
    readModels: {
      ...readModels,
      find: async () => ({
        documents: endpoints.map((doc) => ({ id: doc.endpoint_uuid, version: '1', doc })),
        next: null,
      }),
    },
    barrier,
    store: {
      sequenceOf: Number,
      read: async (stream: string, { limit }: { limit: number } = { limit: Infinity }) =>
        there.filter((record) => record.stream === stream).slice(0, limit),
    },
    codec: {
      decodeAll: async (records: readonly StoredRecord[]) =>
        records.map((record) => EVENTS.find((known) => known.record === record)!),
    },
    topics: {
      consume(options: ConsumeOptions) {
        hand = options.handle;
        return { stop: async () => undefined };
      },
    },
  } as unknown as App;
  const skipped = new Set<string>();
  const skips: Skips = {
    has: (projection, { eventId }) => skipped.has(`${projection}/${eventId}`),
    refresh: async () => undefined,
  };
  const worker = startNotificationWorker({
    app: { ...app, ...createReplay(projections, { ...app, skips }) },
    enqueue: async (orders: readonly DeliveryOrder[]) => void told.push(...orders.map(({ body }) => body)),
    catchUp: async () => undefined,
  });
  return {
    clock,
    told: () => told.map((body) => JSON.parse(body) as { type: string; data: Record<string, unknown> }),
    parked: () => readModels.all(parkedMessages.name).size,
    reasons: () => [...readModels.all(parkedMessages.name).values()].map(({ doc }) => String(doc['reason'])),
    /** An operator takes an event out of a read model. */
    skip: (projection: AnyProjection, { eventId }: StoredRecord) =>
      void skipped.add(`${projection.name}/${eventId}`),
    waiting: () => app.dueTimes.count('retry:notifications'),
    history: there,
    /** Listeners, as far as they can be read. */
    endpoints,
    barrier,
    /** As its projection leaves it behind after these events. */
    async show(projection: AnyProjection, events = EVENTS): Promise<void> {
      await readModels.write(
        projection.name,
        foldBatch(projection, handled(projection, events), () => undefined),
      );
    },
    async pointAt({ stream, revision, position, eventId, meta }: StoredRecord): Promise<void> {
      const value: EventPointer = {
        stream,
        revision,
        position,
        event_id: eventId,
        company: meta.company,
        correlation_id: meta.correlation_id,
      };
      await hand([{ topic: 't', key: stream, value, offset: `0:${position}` }]);
    },
    stop: () => worker.stop(),
  };
}

describe('what integrators are told', () => {
  for (const [behind, others] of [
    [conversations, [contacts]],
    [contacts, [conversations]],
  ] as const) {
    it(`waits for ${behind.name} that are behind the other read models, however long, and is not dropped`, async () => {
      const w = world();
      for (const projection of others) await w.show(projection);
      await w.pointAt(OPENED!);
      await w.pointAt(RECEIVED!);
      await w.clock.advance(3_600_000);
      expect(w.told()).to.deep.equal([]);
      expect(await w.waiting()).to.equal(2);
      await w.show(behind);
      await w.clock.advance(60_000);
      expect(w.told().map(({ type }) => type)).to.have.members(['conversation.created', 'message.received']);
      expect(await w.waiting()).to.equal(0);
      expect(w.parked()).to.equal(0);
      await w.stop();
    });
  }

  it('waits for endpoints that are behind the other read models, and then reaches whom nobody knew of', async () => {
    const w = world();
    await w.show(contacts);
    await w.show(conversations);
    w.endpoints.pop();
    w.barrier.endAt('webhook_endpoints', RECEIVED!.position);
    await w.pointAt(OPENED!);
    expect(await w.waiting(), 'of before').to.equal(0);
    await w.pointAt(RECEIVED!);
    await w.clock.advance(3_600_000);
    expect([w.told().length, await w.waiting(), w.parked()]).to.deep.equal([0, 1, 0]);
    w.endpoints.push(ENDPOINT);
    w.barrier.whole('webhook_endpoints');
    await w.clock.advance(60_000);
    expect(w.told().map(({ type }) => type)).to.deep.equal(['message.received']);
    expect(await w.waiting()).to.equal(0);
    await w.stop();
  });

  it('waits for contacts whose documents are from before the event', async () => {
    const w = world();
    await w.show(contacts);
    await w.show(conversations);
    w.barrier.endAt('contacts', RECEIVED!.position);
    await w.pointAt(RECEIVED!);
    await w.clock.advance(3_600_000);
    expect([w.told().length, await w.waiting(), w.parked()]).to.deep.equal([0, 1, 0]);
    w.barrier.whole('contacts');
    await w.clock.advance(60_000);
    expect(w.told().map(({ type }) => type)).to.deep.equal(['message.received']);
    await w.stop();
  });

  it('does not show a conversation as it was before the event', async () => {
    const w = world();
    await w.show(contacts);
    await w.show(conversations, EVENTS.slice(0, 3));
    await w.pointAt(RESOLVED!);
    expect(w.told()).to.deep.equal([]);
    await w.show(conversations);
    await w.clock.advance(60_000);
    expect(w.told().map(({ data }) => data['conversation'])).to.have.length(1);
    expect(w.told()[0]!.data['conversation']).to.include({ status: 'resolved' });
    await w.stop();
  });

  it('is parked, with the reason, where an operator skipped what makes the document', async () => {
    const w = world();
    await w.show(contacts);
    w.skip(conversations, OPENED!);
    await w.pointAt(OPENED!);
    await w.pointAt(RECEIVED!);
    expect(await w.waiting()).to.equal(0);
    expect(w.reasons()).to.have.length(2);
    for (const reason of w.reasons()) expect(reason).to.include(`leaves out an event of ${OPENED!.stream}`);
    await w.stop();
  });

  it('is parked where an operator skipped the event itself, and waited for where another one was skipped', async () => {
    const w = world();
    await w.show(contacts);
    await w.show(conversations, EVENTS.slice(0, 3));
    w.skip(conversations, OPENED!);
    await w.pointAt(RESOLVED!);
    expect([await w.waiting(), w.parked()]).to.deep.equal([1, 0]);
    w.skip(conversations, RESOLVED!);
    await w.clock.advance(60_000);
    expect([await w.waiting(), w.parked()]).to.deep.equal([0, 1]);
    await w.stop();
  });

  it('comes only from events of a conversation that its document is made of: it is waited for', () => {
    for (const event of Object.values(conversationEventExamples)) {
      const recorded = history([conversation, event]) as readonly RecordedEvent<NotifiableEvent>[];
      if (webhookTypeOf(recorded) !== null) expect(conversations.handles).to.include(event.type);
    }
  });

  it('waits for an event that its stream does not show, and parks it in the end', async () => {
    for (const comes of [true, false]) {
      const w = world(EVENTS.slice(0, 3).map(({ record }) => record));
      await w.show(contacts);
      await w.show(conversations);
      await w.pointAt(RESOLVED!);
      if (comes) w.history.push(RESOLVED!);
      await w.clock.advance(3_600_000);
      expect(w.told()).to.have.length(comes ? 1 : 0);
      expect(w.parked()).to.equal(comes ? 0 : 1);
      await w.stop();
    }
  });
});
