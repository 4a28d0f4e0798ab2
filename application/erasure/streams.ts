/** Streams with a person's data, from the read models. These must show the history up to the last key destroyed. */
import {
  conversationStream,
  executionStream,
  messageStream,
  operationStream,
  orderStream,
} from '../../domain/streams.js';
import type { StoredRecord } from '../../ports/event-store.js';
import { conversations } from '../../read-models/conversations.js';
import { executions } from '../../read-models/executions.js';
import { messages } from '../../read-models/messages.js';
import { operations } from '../../read-models/operations.js';
import { orders } from '../../read-models/orders.js';
import type { App } from '../app.js';
import { allDocuments } from '../provisioning/documents.js';

export interface PersonStreams {
  readonly messages: readonly string[];
  readonly operations: readonly string[];
  readonly conversations: readonly string[];
  readonly orders: readonly string[];
  readonly executions: readonly string[];
}

/** Returns the address of a copy of a read model; its documents have the type of the named read model. */
export type CopyOf = <Name extends string>(collection: Name) => Name;

export async function streamsOf(
  app: Pick<App, 'readModels' | 'store'>,
  company: string,
  contactUuids: ReadonlySet<string>,
  theirSubject: (subject: string) => boolean,
  copyOf: CopyOf = (collection) => collection,
): Promise<PersonStreams> {
  const found: { readonly [Model in keyof PersonStreams]: string[] } = {
    messages: [],
    operations: [],
    conversations: [],
    orders: [],
    executions: [],
  };
  for (const contactUuid of contactUuids) {
    const equals = [contactUuid];
    for await (const { id } of allDocuments(app, copyOf(conversations.name), 'by_contact_channel', equals)) {
      found.conversations.push(conversationStream.toName(id));
      // Every message is in a conversation of its contact, or of one that was merged with it.
      for await (const message of allDocuments(app, copyOf(messages.name), 'by_recording', [id])) {
        found.messages.push(messageStream.toName(message.id));
      }
    }
    for await (const { id } of allDocuments(app, copyOf(orders.name), 'by_contact', equals)) {
      found.orders.push(orderStream.toName(id));
    }
    for await (const { id } of allDocuments(app, copyOf(executions.name), 'by_contact', equals)) {
      found.executions.push(executionStream.toName(id));
    }
  }
  for await (const { id, doc } of allDocuments(app, copyOf(operations.name), 'by_company', [company])) {
    // The document of a flow operation has no personal data. Its execution's stream feeds it too, so a replay of the
    // operation's stream alone would be incomplete.
    if (doc.type === 'flow.execute') continue;
    const stream = operationStream.toName(id);
    // Until its first attempt, an operation names no person but the sealing subject, in its first event.
    const theirs =
      doc.contact_uuid === null
        ? theirSubject(subjectNamedIn(await app.store.read(stream, { limit: 1 })))
        : contactUuids.has(doc.contact_uuid);
    if (theirs) found.operations.push(stream);
  }
  return found;
}

const subjectNamedIn = ([first]: readonly StoredRecord[]): string => String(first?.data['subject']);
