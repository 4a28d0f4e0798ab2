/** The endpoints that an event is delivered to, and the outcome of events without a listener. */
import { expect } from 'chai';
import { envelopeIdOf, ERASED } from '../../../application/event-feed/envelopes.js';
import { webhookEventId } from '../../../application/provisioning/webhooks.js';
import { NOTIFICATIONS } from '../../../application/relay.js';
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
import { projections } from '../../../projections/catalog.js';
import { eventEnvelopes } from '../../../read-models/event-envelopes.js';
import { deliveryIdOf } from '../../../application/webhooks/delivery-ids.js';
import { history } from '../../support/projections.js';
import { ENDPOINT, notificationWorld } from './world.js';

const message = messageStream.toName(exampleIds.message);
const integration = integrationStream.toName(exampleIds.integration);
const { endpointChanged, testRequested } = integrationEventExamples;
const EVENTS = history(
  [contactStream.toName(exampleIds.contact), contactEventExamples.created],
  [contactStream.toName(exampleIds.contact), contactEventExamples.linked],
  [conversationStream.toName(exampleIds.conversation), conversationEventExamples.opened],
  [message, messageEventExamples.received],
  [message, messageEventExamples.editKept],
  [messageStream.toName(exampleIds.test), messageEventExamples.edited],
  [integration, testRequested],
  [integration, endpointChanged],
  [integration, { ...endpointChanged, data: { ...endpointChanged.data, enabled: false } }],
);
const [, , OPENED, RECEIVED, KEPT, EDITED, TEST, ENABLED, DISABLED] = EVENTS.map(({ record }) => record);

const OTHER = 'an endpoint of another integration';
const endpointNamed = (uuid: string, fields: Partial<typeof ENDPOINT> = {}) => ({
  ...ENDPOINT,
  endpoint_uuid: uuid,
  ...fields,
});

async function world() {
  const w = notificationWorld(EVENTS);
  for (const name of ['contacts', 'conversations']) {
    await w.show(projections.find((projection) => projection.name === name)!);
  }
  const reached = () => w.orders.map(({ endpointUuid }) => endpointUuid);
  return { ...w, reached };
}

describe('endpoints that hear of an event', () => {
  it('are told by the worker of notifications, two hundred events at once', async () => {
    const w = await world();
    expect(w.consumed()).to.include({ topic: NOTIFICATIONS, group: 'notifications', maxBatch: 200 });
    await w.pointAt(RECEIVED!);
    expect(w.outcomes).to.deep.equal(['notifications handled']);
    await w.stop();
  });

  it('are all that want its type, or every type', async () => {
    const w = await world();
    w.endpoints.push(
      endpointNamed('wants it', { event_types: ['order.created', 'message.received'] }),
      endpointNamed('wants orders', { event_types: ['order.created'] }),
      endpointNamed('wants nothing', { event_types: [] }),
    );
    await w.pointAt(RECEIVED!);
    expect(w.reached()).to.deep.equal([exampleIds.endpoint, 'wants it']);
    await w.pointAt(OPENED!);
    expect(w.reached().slice(2)).to.deep.equal([exampleIds.endpoint]);
    await w.stop();
  });

  it('get the same bytes within an integration, and those of their own integration', async () => {
    const w = await world();
    w.endpoints.push(endpointNamed('second'), endpointNamed(OTHER, { integration_uuid: 'other' }));
    await w.pointAt(RECEIVED!);
    const [first, second, other] = w.orders;
    expect(w.reads('conversations'), 'one body for each integration').to.equal(2);
    expect(second!.body).to.equal(first!.body);
    const ids = w.told().map(({ data }) => (data['contact'] as { readonly external_id: string }).external_id);
    expect(ids).to.deep.equal(['customer-42', 'customer-42', null]);
    expect([first, other].map((order) => order!.integrationUuid)).to.deep.equal([
      exampleIds.integration,
      'other',
    ]);
    const eventId = webhookEventId(RECEIVED!.eventId);
    expect(w.orders.map((order) => order.eventId)).to.deep.equal([eventId, eventId, eventId]);
    expect(w.orders.map(({ deliveryId }) => deliveryId)).to.deep.equal(
      w.reached().map((endpoint) => deliveryIdOf({ eventId, sequence: 1 }, endpoint, Infinity)),
    );
    expect(w.told().map(({ id }) => id)).to.deep.equal([eventId, eventId, eventId]);
    await w.stop();
  });

  it('are those of its company', async () => {
    const w = await world();
    w.endpoints[0] = endpointNamed('of another company', { company_uuid: exampleIds.channel });
    await w.pointAt(RECEIVED!);
    expect(w.reached()).to.deep.equal([]);
    await w.stop();
  });

  it('hear of a test that is theirs, whatever types they want, and of no other', async () => {
    const w = await world();
    w.endpoints[0] = { ...ENDPOINT, event_types: [] };
    w.endpoints.push(endpointNamed('second'));
    await w.pointAt(TEST!);
    expect(w.reached()).to.deep.equal([exampleIds.endpoint]);
    expect(w.told()[0]!.type).to.equal('webhook.test');
    await w.stop();
  });

  it('catch up on what they missed when they are switched on, and not when they are switched off', async () => {
    const w = await world();
    await w.pointAt(DISABLED!);
    expect(w.caughtUp).to.deep.equal([]);
    await w.pointAt(ENABLED!);
    expect(w.caughtUp).to.deep.equal([
      {
        endpointUuid: exampleIds.endpoint,
        integrationUuid: exampleIds.integration,
        eventId: ENABLED!.eventId,
      },
    ]);
    expect(w.orders).to.deep.equal([]);
    expect(w.outcomes).to.deep.equal(['notifications handled', 'notifications handled']);
    await w.stop();
  });
});

describe('events that nobody is told of', () => {
  it('are read by nobody where the company listens to nothing', async () => {
    const w = await world();
    w.endpoints.pop();
    w.history.splice(0);
    await w.pointAt(RECEIVED!);
    expect(w.outcomes).to.deep.equal(['notifications skipped']);
    await w.stop();
  });

  it('are passed over where they are no news, or no endpoint wants their type', async () => {
    const w = await world();
    w.endpoints[0] = { ...ENDPOINT, event_types: ['order.created'] };
    // The event may then be of any age: its documents need not exist.
    w.barrier.endAt('contacts', RECEIVED!.position);
    await w.pointAt(RECEIVED!);
    w.endpoints[0] = ENDPOINT;
    await w.pointAt(KEPT!);
    expect(w.outcomes).to.deep.equal(['notifications skipped', 'notifications skipped']);
    expect(w.orders).to.deep.equal([]);
    await w.stop();
  });

  it('make no delivery, when they come again, of a person who was erased since they were told', async () => {
    const w = await world();
    const id = envelopeIdOf(
      { eventId: webhookEventId(RECEIVED!.eventId), sequence: 0 },
      exampleIds.integration,
    );
    await w.readModels.write(eventEnvelopes.name, [
      { id, doc: { body: '{"data":{}}' } as never, version: ERASED },
    ]);
    await w.pointAt(RECEIVED!);
    expect([w.orders, w.outcomes]).to.deep.equal([[], ['notifications handled']]);
    await w.stop();
  });

  it('make no delivery where their stream shows nothing', async () => {
    const w = await world();
    await w.pointAt(EDITED!);
    expect([w.orders, w.outcomes]).to.deep.equal([[], ['notifications handled']]);
    await w.stop();
  });

  it('are passed over where another event has their place in the stream', async () => {
    const w = await world();
    await w.pointAt({ ...RECEIVED!, eventId: 'of a history that was lost' });
    expect(w.outcomes).to.deep.equal(['notifications skipped']);
    await w.stop();
  });
});
