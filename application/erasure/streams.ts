/** Streams that hold something of a person, by the read models: they must show the history up to the last key destroyed. */
import { conversationStream } from '../../domain/conversation/stream.js';
import { executionStream } from '../../domain/execution/stream.js';
import { messageStream } from '../../domain/message/stream.js';
import { operationStream } from '../../domain/operation/stream.js';
import { orderStream } from '../../domain/order/stream.js';
import type { StoredRecord } from '../../ports/event-store.js';
import type { App } from '../app.js';
import { allDocuments } from '../provisioning/documents.js';

export interface PersonStreams {
  readonly messages: readonly string[];
  readonly operations: readonly string[];
  readonly conversations: readonly string[];
  readonly orders: readonly string[];
  readonly executions: readonly string[];
}

export async function streamsOf(
  app: App,
  company: string,
  contactUuids: ReadonlySet<string>,
  theirSubject: (subject: string) => boolean,
  copyOf: (collection: string) => string = (collection) => collection,
): Promise<PersonStreams> {
  const messages: string[] = [];
  const conversations: string[] = [];
  const orders: string[] = [];
  const executions: string[] = [];
  for (const contactUuid of contactUuids) {
    for await (const { id } of allDocuments(app, copyOf('messages'), 'by_contact', [contactUuid])) {
      messages.push(messageStream.toName(id));
    }
    for await (const { id } of allDocuments(app, copyOf('conversations'), 'by_contact_channel', [
      contactUuid,
    ])) {
      conversations.push(conversationStream.toName(id));
    }
    for await (const { id } of allDocuments(app, copyOf('orders'), 'by_contact', [contactUuid])) {
      orders.push(orderStream.toName(id));
    }
    for await (const { id } of allDocuments(app, copyOf('executions'), 'by_contact', [contactUuid])) {
      executions.push(executionStream.toName(id));
    }
  }
  const operations: string[] = [];
  type OperationDoc = { readonly type: string; readonly contact_uuid: string | null };
  for await (const { id, doc } of allDocuments<OperationDoc>(app, copyOf('operations'), 'by_company', [
    company,
  ])) {
    // What is shown of a flow's is not personal, and comes from its execution too.
    if (doc.type === 'flow.execute') continue;
    const stream = operationStream.toName(id);
    // Until it is attempted an operation names nobody but the sealing subject, which is in its first event.
    const theirs =
      doc.contact_uuid === null
        ? theirSubject(subjectNamedIn(await app.store.read(stream, { limit: 1 })))
        : contactUuids.has(doc.contact_uuid);
    if (theirs) operations.push(stream);
  }
  return { messages, operations, conversations, orders, executions };
}

const subjectNamedIn = ([first]: readonly StoredRecord[]): string => String(first?.data['subject']);
