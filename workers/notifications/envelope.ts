/** The body of a webhook: whole resources as of the event, in the shapes of the API. */
import type { App } from '../../application/app.js';
import type { RecordedEvent } from '../../application/codec.js';
import { readContacts } from '../../application/contacts/read.js';
import { mediaInWebhooks } from '../../application/media/present-media.js';
import { presentContact } from '../../application/resources/contact.js';
import { presentConversation, type ConversationSource } from '../../application/resources/conversation.js';
import { presentExecution } from '../../application/resources/execution.js';
import { presentMessage } from '../../application/resources/message.js';
import { presentOrder } from '../../application/resources/store-order.js';
import { namesOfFlows } from '../../application/queries/flows.js';
import { productsOfOrders } from '../../application/queries/orders.js';
import { imageUrl } from '../../application/store/image-address.js';
import type { StreamNames } from '../../domain/kernel/stream.js';
import { trackingOf } from '../../domain/policies/tracking.js';
import { contactStream, conversationStream } from '../../domain/streams.js';
import { START, NotYet, type Position } from '../../ports/event-store.js';
import type { CollectionName, Document } from '../../ports/read-models.js';
import { contacts } from '../../read-models/contacts.js';
import { conversations, type ConversationDoc } from '../../read-models/conversations.js';
import { executions } from '../../read-models/executions.js';
import { messages } from '../../read-models/messages.js';
import { orders } from '../../read-models/orders.js';
import type { NotifiableEvent, WebhookEventType } from './event-kind.js';

export const API_VERSION = '1.8.0';

export interface Envelope {
  /** JSON text. Serialised once: every attempt of every delivery sends these bytes. */
  readonly body: string;
  /** The contact whose personal data it contains. */
  readonly contactUuid: string | null;
}

export interface EnvelopeInput {
  readonly eventId: string;
  readonly type: WebhookEventType;
  /** The stream up to and including the event. */
  readonly history: readonly RecordedEvent<NotifiableEvent>[];
  readonly integrationUuid: string;
}

/**
 * Null when the stream itself has no resource to present.
 *
 * @throws StoreUnavailable when a required document is not there yet. Documents are never removed, so it will come: its
 * projection may be behind because it cannot apply an event or is being rebuilt. LeftOut when the document will not
 * come because an operator skipped the event that creates it.
 */
export async function envelopeFor(
  app: Pick<App, 'executor' | 'isSkipped' | 'mediaLinks' | 'project' | 'publicUrl' | 'readModels' | 'store'>,
  input: EnvelopeInput,
): Promise<Envelope | null> {
  const { history, type } = input;
  const recorded = history[history.length - 1]!;
  const made = await dataFor(app, input);
  if (made === null) return null;
  const body = JSON.stringify({
    id: input.eventId,
    type,
    api_version: API_VERSION,
    created_at: recorded.record.meta.occurred_at,
    sequence: app.store.sequenceOf(recorded.record.position),
    data: made.data,
  });
  return { body, contactUuid: made.contactUuid };
}

interface Data {
  readonly data: Readonly<Record<string, unknown>>;
  readonly contactUuid: string | null;
}

async function dataFor(
  app: Pick<App, 'executor' | 'isSkipped' | 'mediaLinks' | 'project' | 'publicUrl' | 'readModels'>,
  { type, history, integrationUuid }: EnvelopeInput,
): Promise<Data | null> {
  const { event, record } = history[history.length - 1]!;
  if (event.type === 'WebhookTestRequested') {
    return {
      data: { endpoint_uuid: event.data.endpoint_uuid, text: 'This is a test event. Nothing happened.' },
      contactUuid: null,
    };
  }
  if (type === 'conversation.created' || type === 'conversation.updated') {
    // Counters and times come from messages, so the current document is used, not only this stream's part.
    const uuid = conversationStream.match(record.stream)!;
    const conversation = await shownConversation(app, uuid, record.position);
    return withContact(app, conversation, integrationUuid, {});
  }
  if (type === 'flow.execution.updated') return executionData(app, history, integrationUuid);
  if (type === 'order.created') return orderData(app, history, integrationUuid);
  // As of this event: a later status must not appear in an earlier webhook.
  const message = app.project(messages.name, history);
  if (!message) return null;
  const conversation = await shownConversation(app, message.conversation_uuid);
  return withContact(app, conversation, integrationUuid, {
    message: presentMessage(message, mediaInWebhooks(app.mediaLinks, record.meta.occurred_at)),
    operation_uuid: message.operation_uuid,
  });
}

/** The order as it was placed, regardless of later changes. */
async function orderData(
  app: Pick<App, 'project' | 'publicUrl' | 'readModels'>,
  history: EnvelopeInput['history'],
  integrationUuid: string,
): Promise<Data | null> {
  const order = app.project(orders.name, history);
  if (!order) return null;
  const baseUrl = app.publicUrl();
  const products = await productsOfOrders(app.readModels, [order], (hash, type) =>
    imageUrl(baseUrl, hash, type),
  );
  const uuid = order.contact_uuid;
  const contact = uuid === null ? undefined : (await readContacts(app.readModels, [uuid])).get(uuid);
  if (uuid !== null && !contact) throw notYet(contacts.name);
  const tracking = contact && trackingOf(contact.custom_fields);
  return {
    data: {
      order: presentOrder(order, products),
      contact: contact ? presentContact(contact, integrationUuid) : null,
      ...(tracking === undefined ? {} : { tracking }),
    },
    contactUuid: uuid,
  };
}

/** As of this event, regardless of later progress of the execution. */
async function executionData(
  app: Pick<App, 'executor' | 'isSkipped' | 'project' | 'readModels'>,
  history: EnvelopeInput['history'],
  integrationUuid: string,
): Promise<Data | null> {
  const execution = app.project(executions.name, history);
  if (!execution) return null;
  const { conversation_uuid: conversationUuid, contact_uuid: contactUuid } = execution;
  const flowName = (await namesOfFlows(app, [execution]))(execution.flow_uuid);
  const shownExecution = { execution: presentExecution(execution, flowName) };
  if (conversationUuid !== null) {
    const conversation = await shownConversation(app, conversationUuid);
    return withContact(app, conversation, integrationUuid, shownExecution);
  }
  const contact = (await readContacts(app.readModels, [contactUuid])).get(contactUuid);
  if (!contact) throw notYet(contacts.name);
  const tracking = trackingOf(contact.custom_fields);
  return {
    data: {
      ...shownExecution,
      conversation: null,
      contact: presentContact(contact, integrationUuid),
      ...(tracking === undefined ? {} : { tracking }),
    },
    contactUuid,
  };
}

/** An operator skipped an event in a read model, so a required document will not appear by itself. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut';
}

const shownConversation = (
  app: Pick<App, 'isSkipped' | 'readModels'>,
  uuid: string,
  since?: Position,
): Promise<ConversationDoc> => shown(app, conversations.name, conversationStream, uuid, since);

/** @throws StoreUnavailable when it is not there yet, or older than `since`; LeftOut when it will not come */
async function shown<Doc extends Document>(
  app: Pick<App, 'isSkipped' | 'readModels'>,
  collection: CollectionName<Doc>,
  streams: StreamNames,
  uuid: string,
  since: Position = START,
): Promise<Doc> {
  const stored = await app.readModels.get(collection, uuid);
  if (stored && stored.version >= since) return stored.doc;
  const stream = streams.toName(uuid);
  if (await app.isSkipped(collection, stream, stored && since)) {
    throw new LeftOut(
      `the read model ${collection} leaves out an event of ${stream} that an operator skipped; rebuild it with a release that can apply the event, then retry`,
    );
  }
  throw notYet(collection);
}

async function withContact(
  app: Pick<App, 'isSkipped' | 'readModels'>,
  conversation: ConversationSource,
  integrationUuid: string,
  more: Readonly<Record<string, unknown>>,
): Promise<Data> {
  const contact = await shown(app, contacts.name, contactStream, conversation.contact_uuid);
  const tracking = trackingOf(contact.custom_fields);
  return {
    data: {
      ...more,
      conversation: presentConversation(conversation, contact, integrationUuid),
      contact: presentContact(contact, integrationUuid),
      ...(tracking === undefined ? {} : { tracking }),
    },
    contactUuid: contact.uuid,
  };
}

const notYet = (collection: string): NotYet =>
  new NotYet(`the read model ${collection} does not show this event yet`);
