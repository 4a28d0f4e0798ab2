/** Reads one message with everything that happened to it. */
import type { CompanyUuid, OperationUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { MessageEvent } from '../../domain/message/events.js';
import { outboundMessageId } from '../../domain/message/decide.js';
import type { OperationEvent } from '../../domain/operation/events.js';
import { messageStream, operationStream } from '../../domain/streams.js';
import { deliveries, type DeliveryDoc } from '../../read-models/deliveries.js';
import { messages } from '../../read-models/messages.js';
import { sends } from '../../read-models/sends.js';
import type { App } from '../app.js';
import type { RecordedEvent } from '../codec.js';
import { webhookEventId } from '../provisioning/webhooks.js';
import type { MessageSource } from '../resources/message.js';
import { timelineOf } from '../resources/message-timeline.js';
import type { SentMessageSource } from '../resources/sent-message.js';
import type { TimelineEntry } from '../resources/timeline-entry.js';
import { withReferences } from './message-references.js';
import { readSent, type SentDeps } from './read-sent.js';

export interface MessageStory extends Omit<SentMessageSource, 'operationUuid'> {
  /** Null for messages that no operation sent. */
  readonly operationUuid: OperationUuid | null;
  readonly timeline: readonly TimelineEntry[];
}

/** Deliveries of one event that are shown: of each endpoint one, and later redeliveries. */
const MOST_DELIVERIES = 50;

/** The events of a message that integrators may be notified of. */
const NOTIFIED: ReadonlySet<string> = new Set<MessageEvent['type']>([
  'MessageReceived',
  'MessageEchoed',
  'MessageEdited',
  'MessageDeleted',
  'MessageTranscribed',
  'MessageAccepted',
  'MessageRefused',
  'MessageStatusReported',
]);

/**
 * @param uuid of the message, or of the operation that sends it
 * @param integrationUuid whose deliveries are shown; null for those of every integration of the company
 * @throws Refusal not_found
 */
export async function readMessageStory(
  app: SentDeps,
  {
    companyUuid,
    integrationUuid,
  }: { readonly companyUuid: CompanyUuid; readonly integrationUuid: string | null },
  uuid: string,
): Promise<MessageStory> {
  const shown = (await ofConversation(app, companyUuid, uuid)) ?? (await ofOperation(app, companyUuid, uuid));
  if (shown === null) {
    throw new Refusal('not_found', 'There is no such message in your company.', {
      resource: 'message',
      uuid,
    });
  }
  const [operation, message] = await Promise.all([
    shown.operationUuid === null
      ? []
      : eventsOf<OperationEvent>(app, operationStream.toName(shown.operationUuid)),
    eventsOf<MessageEvent>(app, messageStream.toName(shown.message.uuid)),
  ]);
  const sent = await deliveriesOf(app, message, companyUuid, integrationUuid);
  const [withUuids] = await withReferences(app.readModels, [shown.message]);
  return {
    ...shown,
    message: withUuids ?? shown.message,
    timeline: timelineOf({ operation, message, deliveries: sent }),
  };
}

type Shown = Omit<MessageStory, 'timeline'>;

async function ofConversation(app: SentDeps, companyUuid: CompanyUuid, uuid: string): Promise<Shown | null> {
  const message = (await app.readModels.get(messages.name, uuid))?.doc;
  if (message?.company_uuid !== companyUuid) return null;
  const { operation_uuid: operationUuid } = message;
  if (operationUuid !== null) {
    const [sent] = await readSent(app, companyUuid, [{ messageUuid: uuid, operationUuid }]);
    return sent ?? null;
  }
  const { conversation_uuid: conversationUuid, contact_uuid: contactUuid } = message;
  const received: MessageSource = message;
  return { message: received, operationUuid: null, conversationUuid, contactUuid, waiting: null };
}

/** Before its first attempt, a message has no document of its own. */
async function ofOperation(app: SentDeps, companyUuid: CompanyUuid, uuid: string): Promise<Shown | null> {
  const known = (await app.readModels.get(sends.name, uuid))?.doc;
  const operationUuid = known?.operation_uuid ?? uuid;
  const messageUuid = outboundMessageId(operationUuid);
  const [sent] = await readSent(app, companyUuid, [{ messageUuid, operationUuid }]);
  return sent ?? null;
}

async function eventsOf<Event extends OperationEvent | MessageEvent>(
  app: Pick<App, 'store' | 'codec'>,
  stream: string,
): Promise<readonly RecordedEvent<Event>[]> {
  return app.codec.decodeAll<Event>(await app.store.read(stream));
}

async function deliveriesOf(
  { readModels }: Pick<App, 'readModels'>,
  history: readonly RecordedEvent<MessageEvent>[],
  companyUuid: CompanyUuid,
  integrationUuid: string | null,
): Promise<readonly DeliveryDoc[]> {
  const found = await Promise.all(
    history
      .filter(({ event }) => NOTIFIED.has(event.type))
      .map(({ record }) =>
        readModels.find(deliveries.name, {
          index: 'by_event',
          equals: [webhookEventId(record.eventId)],
          order: 'asc',
          limit: MOST_DELIVERIES,
        }),
      ),
  );
  return found
    .flatMap(({ documents }) => documents.map(({ doc }) => doc))
    .filter(
      (doc) =>
        doc.company_uuid === companyUuid &&
        (integrationUuid === null || doc.integration_uuid === integrationUuid),
    );
}
