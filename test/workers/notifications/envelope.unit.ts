/** The body of a webhook: its description of the event, and the resources that it shows as they were at the event. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { contactEventExamples } from '../../support/examples/contact.js';
import { conversationEventExamples } from '../../support/examples/conversation.js';
import { executionEventExamples } from '../../support/examples/execution.js';
import { integrationEventExamples } from '../../support/examples/integration.js';
import type { DomainEvent } from '../../../domain/kernel/event.js';
import {
  contactStream,
  conversationStream,
  executionStream,
  integrationStream,
  messageStream,
  orderStream,
} from '../../../domain/streams.js';
import { exampleIds } from '../../support/examples/example.js';
import { messageEventExamples } from '../../support/examples/message.js';
import { orderEventExamples } from '../../support/examples/order.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import type { Document } from '../../../ports/read-models.js';
import { projections } from '../../../projections/catalog.js';
import { foldBatch } from '../../../projections/fold.js';
import { createReplay } from '../../../projections/replay.js';
import { envelopeFor, LeftOut } from '../../../workers/notifications/envelope.js';
import type { WebhookEventType } from '../../../workers/notifications/event-kind.js';
import type { History } from '../../../workers/notifications/delivery-order.js';
import { memoryReadModels } from '../../support/memory/read-models.js';
import { at, handled, history } from '../../support/projections.js';

const contact = contactStream.toName(exampleIds.contact);
const conversation = conversationStream.toName(exampleIds.conversation);
const message = messageStream.toName(exampleIds.message);
const execution = executionStream.toName(exampleIds.execution);
const order = orderStream.toName(exampleIds.operation);

const CREATED = [contact, contactEventExamples.created] as const;
const OPENED = [conversation, conversationEventExamples.opened] as const;
const TRACKED = [contact, contactEventExamples.changed] as const;
const LINKED = [contact, contactEventExamples.linked] as const;
const { created: begun, started } = executionEventExamples;
const { placed } = orderEventExamples;
const [item] = placed.data.items;
const HASH = 'c'.repeat(64);

interface Options {
  /** Read models that show the events; the others show nothing. */
  readonly shown?: readonly string[];
  /** How many of the events they show; all when left out. */
  readonly upTo?: number;
  /** The read model for which an operator skipped all of these events. */
  readonly skipped?: string;
  readonly more?: Readonly<Record<string, Readonly<Record<string, Document>>>>;
}

/** The contents of a webhook about the last of these events. */
async function told(
  type: WebhookEventType,
  events: readonly (readonly [string, DomainEvent])[],
  { shown = ['contacts', 'conversations'], upTo = events.length, skipped, more = {} }: Options = {},
) {
  const happened = history(...events);
  const readModels = memoryReadModels();
  for (const name of shown) {
    const projection = projections.find((one) => one.name === name)!;
    const some = handled(projection, happened.slice(0, upTo));
    await readModels.write(
      name,
      foldBatch(projection, some, () => undefined),
    );
  }
  for (const [name, documents] of Object.entries(more)) {
    const writes = Object.entries(documents).map(([id, doc]) => ({ id, doc, version: '1' }));
    await readModels.write(name, writes);
  }
  const store = {
    sequenceOf: Number,
    read: async (stream: string) =>
      happened.map(({ record }) => record).filter((record) => record.stream === stream),
  };
  const skips = { has: (name: string) => name === skipped, refresh: async () => undefined };
  const app = {
    readModels,
    store,
    publicUrl: () => 'https://shop.example',
    mediaLinks: {
      urlFor: ({ messageUuid }: { messageUuid: string }, until: number) =>
        `https://files.example/${messageUuid}?until=${until}`,
    },
    executor: { load: async () => ({ state: { name: 'Of its stream' } }) },
  } as unknown as App;
  Object.assign(app, createReplay(projections, { ...app, skips }));
  const { stream } = happened.at(-1)!.record;
  const made = await envelopeFor(app, {
    eventId: 'event-1',
    type,
    history: happened.filter(({ record }) => record.stream === stream) as History,
    integrationUuid: exampleIds.integration,
  });
  return made && { ...made, ...(JSON.parse(made.body) as { readonly data: Data }) };
}

type Data = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

const failure = (made: Promise<unknown>): Promise<unknown> =>
  made.then(
    () => expect.fail('a webhook was made'),
    (error: unknown) => error,
  );

async function expectWait(made: Promise<unknown>, model: string): Promise<void> {
  const error = await failure(made);
  expect(error).to.be.instanceOf(StoreUnavailable);
  expect((error as Error).message).to.equal(`the read model ${model} does not show this event yet`);
}

const ABOUT: readonly (readonly [WebhookEventType, readonly [string, DomainEvent]])[] = [
  ['conversation.updated', [conversation, conversationEventExamples.resolved]],
  ['message.received', [message, messageEventExamples.received]],
  ['flow.execution.updated', [execution, begun]],
  ['order.created', [order, placed]],
];

describe('the body of a webhook', () => {
  it('says which event it is of, when that happened and where it lies in the history', async () => {
    const { body, contactUuid, ...made } = (await told('message.received', [
      CREATED,
      OPENED,
      [message, messageEventExamples.received],
    ]))!;
    expect(made).to.deep.include({
      id: 'event-1',
      type: 'message.received',
      api_version: '1.8.0',
      created_at: at(2),
      sequence: 3,
    });
    expect(contactUuid).to.equal(exampleIds.contact);
    expect(body).to.match(/^\{"id":"event-1","type":/);
  });

  it('shows a message with its conversation and its contact, and the operation that it was sent by', async () => {
    const { data } = (await told('message.received', [
      CREATED,
      OPENED,
      [message, messageEventExamples.received],
    ]))!;
    expect(Object.keys(data)).to.have.members(['message', 'operation_uuid', 'conversation', 'contact']);
    expect(data['message']).to.deep.include({ uuid: exampleIds.message, status: 'received' });
    expect(data['operation_uuid']).to.equal(null);
    expect(data['conversation']).to.include({ uuid: exampleIds.conversation, status: 'open' });
    expect(data['contact']).to.include({ uuid: exampleIds.contact, phone: '+553188887777' });

    const { queued, accepted } = messageEventExamples;
    const sent = (await told('message.status.updated', [
      CREATED,
      OPENED,
      [message, queued],
      [message, accepted],
    ]))!.data;
    expect(sent['operation_uuid']).to.equal(exampleIds.operation);
    expect(sent['message']).to.include({ status: 'sent' });
  });

  it('gives the file of a message for seven days from the event on', async () => {
    const { data } = (await told('message.received', [
      CREATED,
      OPENED,
      [message, messageEventExamples.receivedImage],
    ]))!;
    const until = Date.parse(at(2)) + 7 * 86_400_000;
    expect(data['message']!['content']).to.include({
      url: `https://files.example/${exampleIds.message}?until=${until}`,
      url_expires_at: new Date(until).toISOString(),
    });
  });

  for (const type of ['conversation.created', 'conversation.updated'] as const) {
    it(`of ${type} shows the conversation with its contact`, async () => {
      const { data, contactUuid } = (await told(type, [CREATED, OPENED]))!;
      expect(Object.keys(data)).to.have.members(['conversation', 'contact']);
      expect(data['conversation']).to.include({ uuid: exampleIds.conversation, status: 'open' });
      expect(data['contact']).to.include({ uuid: exampleIds.contact });
      expect(contactUuid).to.equal(exampleIds.contact);
    });
  }

  it('shows the id that the integration has for the contact, and no other integration’s', async () => {
    const foreign = { integration_uuid: exampleIds.endpoint, external_id: 'theirs' };
    const theirs = [contact, { ...contactEventExamples.linked, data: foreign }] as const;
    for (const [link, id] of [
      [LINKED, 'customer-42'],
      [theirs, null],
    ] as const) {
      for (const [type, event] of ABOUT) {
        const { data } = (await told(type, [CREATED, OPENED, link, event]))!;
        expect(data['contact'], type).to.include({ external_id: id });
        const inConversation = data['conversation']?.['contact'];
        if (inConversation) expect(inConversation, type).to.include({ external_id: id });
      }
    }
  });

  it('shows where the contact came from, once that is known', async () => {
    for (const [type, event] of ABOUT) {
      const { data } = (await told(type, [CREATED, OPENED, TRACKED, event]))!;
      expect(data['tracking'], type).to.deep.equal({ utm_source: 'instagram' });
      const untracked = (await told(type, [CREATED, OPENED, event]))!.data;
      expect(untracked, type).not.to.have.property('tracking');
    }
    const inConversation = [execution, started] as const;
    const { data } = (await told('flow.execution.updated', [
      CREATED,
      OPENED,
      TRACKED,
      [execution, begun],
      inConversation,
    ]))!;
    expect(data['tracking']).to.deep.equal({ utm_source: 'instagram' });
  });

  it('shows an execution of a flow under the present name of the flow, before and in its conversation', async () => {
    const flows = { [begun.data.flow_uuid]: { name: 'Boas-vindas' } };
    const before = (await told('flow.execution.updated', [CREATED, OPENED, [execution, begun]], {
      more: { flows },
    }))!;
    expect(Object.keys(before.data)).to.have.members(['execution', 'conversation', 'contact']);
    expect(before.data['execution']).to.include({
      uuid: exampleIds.execution,
      flow_name: 'Boas-vindas',
      status: 'queued',
    });
    expect(before.data['conversation']).to.equal(null);
    expect(before.data['contact']).to.include({ uuid: exampleIds.contact });
    expect(before.contactUuid).to.equal(exampleIds.contact);

    const inside = (await told(
      'flow.execution.updated',
      [CREATED, OPENED, [execution, begun], [execution, started]],
      { more: { flows } },
    ))!;
    expect(inside.data['execution']).to.include({ flow_name: 'Boas-vindas', status: 'processing' });
    expect(inside.data['conversation']).to.include({ uuid: exampleIds.conversation });
    expect(inside.contactUuid).to.equal(exampleIds.contact);
  });

  it('names a flow by its stream where the read model does not show it', async () => {
    const { data } = (await told('flow.execution.updated', [CREATED, OPENED, [execution, begun]]))!;
    expect(data['execution']).to.include({ flow_name: 'Of its stream' });
  });

  it('shows an order with its buyer, and without one where nobody is known', async () => {
    const { data, contactUuid } = (await told('order.created', [CREATED, [order, placed]]))!;
    expect(Object.keys(data)).to.have.members(['order', 'contact']);
    expect(data['order']).to.include({ uuid: exampleIds.operation, code: '#1001', status: 'novo' });
    expect(data['contact']).to.include({ uuid: exampleIds.contact });
    expect(contactUuid).to.equal(exampleIds.contact);

    const anonymous = { ...placed, data: { ...placed.data, contact_uuid: null } };
    const { data: nobody, contactUuid: none } = (await told('order.created', [[order, anonymous]]))!;
    expect(nobody['order']).to.include({ code: '#1001' });
    expect([nobody['contact'], none]).to.deep.equal([null, null]);
    expect(nobody).not.to.have.property('tracking');
  });

  it('shows the pictures of an order at the public address, as long as the products have them', async () => {
    const bought = { ...placed, data: { ...placed.data, items: [{ ...item!, image_hash: HASH }] } };
    const events = [CREATED, [order, bought]] as const;
    const items = (data: Data) => (data['order']!['items'] as Data[])[0]!;
    const images = [{ hash: HASH, content_type: 'image/png' }];
    const products = { [item!.product_uuid]: { images, variants: [] } };
    const there = (await told('order.created', events, { more: { products } }))!;
    expect(items(there.data)).to.include({
      image_url: `https://shop.example/store-images/${HASH}.png`,
      product_deleted: false,
    });
    const gone = (await told('order.created', events))!;
    expect(items(gone.data)).to.include({ image_url: null, product_deleted: true });
  });

  it('of a test says so, and is about nobody', async () => {
    const { data, contactUuid } = (await told('webhook.test', [
      [integrationStream.toName(exampleIds.integration), integrationEventExamples.testRequested],
    ]))!;
    expect(Object.keys(data)).to.have.members(['endpoint_uuid', 'text']);
    expect(data['endpoint_uuid']).to.equal(exampleIds.endpoint);
    expect(contactUuid).to.equal(null);
  });

  it('is not made where the stream shows no resource', async () => {
    for (const [type, stream, event] of [
      ['message.updated', message, messageEventExamples.editKept],
      ['flow.execution.updated', execution, executionEventExamples.stepTaken],
      ['order.created', order, orderEventExamples.notPlaced],
    ] as const) {
      expect(await told(type, [CREATED, OPENED, [stream, event]]), type).to.equal(null);
    }
  });
});

describe('the body of a webhook whose documents are not there', () => {
  const RESOLVED = [conversation, conversationEventExamples.resolved] as const;

  it('waits for the conversation and for the contact of what it shows', async () => {
    const inConversation: typeof ABOUT = [...ABOUT.slice(0, 2), [ABOUT[2]![0], [execution, started]]];
    for (const [type, event] of inConversation) {
      const before = type === 'flow.execution.updated' ? [[execution, begun] as const] : [];
      const events = [CREATED, OPENED, ...before, event];
      await expectWait(told(type, events, { shown: ['contacts'] }), 'conversations');
      await expectWait(told(type, events, { shown: ['conversations'] }), 'contacts');
    }
  });

  it('waits for the contact of an order, and of an execution that is in no conversation yet', async () => {
    for (const [type, event] of ABOUT.slice(2)) {
      await expectWait(told(type, [CREATED, event], { shown: [] }), 'contacts');
    }
  });

  it('waits for a conversation as of its own event, and takes an older one for a message', async () => {
    const events = [CREATED, OPENED, RESOLVED];
    await expectWait(told('conversation.updated', events, { upTo: 2 }), 'conversations');
    expect((await told('conversation.updated', events))!.data['conversation']).to.include({
      status: 'resolved',
    });
    const received = [message, messageEventExamples.received] as const;
    const { data } = (await told('message.received', [...events, received], { upTo: 2 }))!;
    expect(data['conversation']).to.include({ status: 'open' });
  });

  it('is left out, with the stream in question, where an operator skipped what makes the document', async () => {
    for (const [model, stream] of [
      ['conversations', conversation],
      ['contacts', contact],
    ] as const) {
      const shown = ['contacts', 'conversations'].filter((name) => name !== model);
      const error = await failure(
        told('conversation.updated', [CREATED, OPENED, RESOLVED], { shown, skipped: model }),
      );
      expect(error, model).to.be.instanceOf(LeftOut);
      expect((error as Error).message).to.include(`the read model ${model} leaves out an event of ${stream}`);
    }
  });
});
