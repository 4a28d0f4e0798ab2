/** The events of a stream up to one of them, and the delivery of that event to an endpoint. */
import { expect } from 'chai';
import { conversationEventExamples } from '../../support/examples/conversation.js';
import type { DomainEvent } from '../../../domain/kernel/event.js';
import { conversationStream, messageStream } from '../../../domain/streams.js';
import { exampleIds } from '../../support/examples/example.js';
import { messageEventExamples } from '../../support/examples/message.js';
import type { StoredRecord } from '../../../ports/event-store.js';
import { deliveryIdOf, nextDeliveryId } from '../../../application/webhooks/delivery-ids.js';
import { deliveryOrder, historyUpTo, type History } from '../../../workers/notifications/delivery-order.js';
import { history } from '../../support/projections.js';
import { ENDPOINT } from './world.js';

const message = messageStream.toName(exampleIds.message);
const conversation = conversationStream.toName(exampleIds.conversation);
const { queued, accepted, delivered } = messageEventExamples;

/** Each event is caused by a request of its own. */
const recorded = (stream: string, ...events: readonly DomainEvent[]) =>
  history(...events.map((event) => [stream, event] as const)).map(({ event, record }) => ({
    event,
    record: { ...record, meta: { ...record.meta, correlation_id: `request ${record.revision}` } },
  })) as unknown as History;

const MESSAGE = recorded(message, queued, accepted, delivered);
const RECORDS = MESSAGE.map(({ record }) => record);

function appOver(records: readonly StoredRecord[]) {
  return {
    store: {
      read: async (stream: string, { limit }: { limit: number }) =>
        records.filter((record) => record.stream === stream).slice(0, limit),
    },
    codec: {
      decodeAll: async (some: readonly StoredRecord[]) =>
        some.map((record) => MESSAGE.find((one) => one.record === record)!),
    },
  } as unknown as Parameters<typeof historyUpTo>[0];
}
const pointer = ({ stream, revision, eventId }: StoredRecord) => ({ stream, revision, event_id: eventId });

describe('the stream up to an event', () => {
  it('ends with the event, also where more has happened since', async () => {
    for (const [n, record] of RECORDS.entries()) {
      expect(await historyUpTo(appOver(RECORDS), pointer(record))).to.deep.equal(MESSAGE.slice(0, n + 1));
    }
  });

  it('is no history of an event whose place another one has', async () => {
    const lost = { ...pointer(RECORDS[1]!), event_id: 'lost' };
    expect(await historyUpTo(appOver(RECORDS), lost)).to.equal(null);
  });

  it('fails while it does not show the event, or shows nothing', async () => {
    for (const shown of [0, 1]) {
      const read = historyUpTo(appOver(RECORDS.slice(0, shown)), pointer(RECORDS[shown]!));
      const error: unknown = await read.catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(Error);
      expect((error as Error).message).to.include(`stream ${message} does not show event ${shown}`);
    }
  });
});

/** None of its ids is of an earlier release. */
const APP = {
  deliveriesNearAfter: () => 0,
  store: { sequenceOf: Number },
} as unknown as Parameters<typeof deliveryOrder>[0];

describe('the delivery of an event to an endpoint', () => {
  const envelope = { body: '{}', contactUuid: exampleIds.contact };
  const traceOf = (events: History) =>
    deliveryOrder(APP, ENDPOINT, 'message.status.updated', events, envelope).correlationId;

  it('belongs to what the message began with, whichever request brought its status', () => {
    expect(traceOf(MESSAGE)).to.equal('request 0');
  });

  it('of anything else belongs to the request that brought the event about', () => {
    const { opened, resolved } = conversationEventExamples;
    expect(traceOf(recorded(conversation, opened, resolved))).to.equal('request 1');
  });

  it('has an id of its own for each event and each endpoint', () => {
    const idOf = (endpoint: string, events: History): string =>
      deliveryOrder(APP, { ...ENDPOINT, endpoint_uuid: endpoint }, 'message.status.updated', events, envelope)
        .deliveryId;
    const ids = ['e1', 'e2'].flatMap((endpoint) => [
      idOf(endpoint, MESSAGE),
      idOf(endpoint, MESSAGE.slice(0, 1)),
    ]);
    expect(new Set(ids).size).to.equal(4);
    expect(idOf('e1', MESSAGE)).to.equal(ids[0]);
  });

  const event = { eventId: '0192fe6a-7c1d-5e0f-8a4b-1c2d3e4f5a6b', sequence: 7 };

  it('has the id that earlier releases gave it, up to the event after which they no longer do', () => {
    for (const nearAfter of [7, Infinity])
      expect(deliveryIdOf({ ...event, eventId: 'event' }, 'endpoint', nearAfter)).to.equal(
        '51188e62-88f1-5696-ad87-1ca2be66c498',
      );
    const near = deliveryIdOf(event, 'endpoint', 6);
    expect(near).to.equal('0192fe6a-7c1d-5907-910f-da0094e764d4');
    expect(near).not.to.equal(deliveryIdOf(event, 'another', 6));
  });

  it('made again has an id of the same kind', () => {
    for (const nearAfter of [6, Infinity]) {
      const deliveryId = deliveryIdOf(event, 'endpoint', nearAfter);
      const [once, again, other] = ['job', 'job', 'other'].map((job) =>
        nextDeliveryId({ eventId: event.eventId, deliveryId }, 'redeliver', job),
      );
      expect(again).to.equal(once);
      expect(new Set([deliveryId, once, other]).size).to.equal(3);
      expect([once, other].map((id) => id!.startsWith('0192fe6a-7c1d'))).to.deep.equal(
        nearAfter === 6 ? [true, true] : [false, false],
      );
    }
  });
});
