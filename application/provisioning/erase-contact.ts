/**
 * Forgetting a person.
 *
 * The key under which the person's fields are sealed is destroyed: from then on they read as null in every event, in
 * the history and in its backups. What was copied out of the events into documents is then made again by folding the
 * projections over the same streams, so that each document is what a rebuild of the read model would make of it.
 * Webhook deliveries are no projection: their bodies are emptied.
 *
 * The contact keeps its uuid, and so does the claim on the phone (a keyed hash): if the person comes back, what is
 * new is sealed under a new key, and erasing again forgets that too. Every step may be repeated; a call that was
 * broken off is finished by the next one.
 */
import { contactAggregate } from '../../domain/contact/decide.js';
import { contactStream } from '../../domain/contact/stream.js';
import { conversationStream } from '../../domain/conversation/stream.js';
import { identityAggregate } from '../../domain/identity/decide.js';
import type { StreamNames } from '../../domain/kernel/stream.js';
import { messageStream } from '../../domain/message/stream.js';
import { operationStream } from '../../domain/operation/stream.js';
import type { StoredRecord } from '../../ports/event-store.js';
import type { Document, StoredDocument } from '../../ports/read-models.js';
import { directCommand, type App } from '../app.js';
import { externalIdentity } from '../people/subject.js';
import { notFound, type Caller, type Written } from './common.js';
import { emptyDeliveries } from './erase-deliveries.js';
import { allDocuments, replayTo, rewriteDocument } from './documents.js';

export interface Erased extends Written {
  /** Documents that held something of the person and no longer do. */
  readonly rewritten: { readonly contacts: number; readonly messages: number; readonly operations: number };
  readonly deliveries: number;
}

/** @throws Refusal not_found */
export async function eraseContact(
  app: App,
  input: { readonly contactUuid: string; readonly reason?: string | undefined },
  caller: Caller,
): Promise<Erased> {
  const { contactUuid } = input;
  const { state } = await app.executor.load(contactAggregate, contactUuid);
  if (!state.exists) throw notFound('contact', 'contact');
  const company = state.companyUuid;

  // First, while the external ids can still be read: somebody else may be linked to them from now on.
  for (const [integrationUuid, externalId] of Object.entries(state.links)) {
    if (externalId === null) continue;
    await app.executor.execute(
      identityAggregate,
      externalIdentity(app.indexSecret, integrationUuid, externalId),
      { type: 'ReleaseIdentity', owner: contactUuid },
      directCommand(app, { company, ...caller }),
    );
  }
  await app.keys.destroy(state.subject);
  app.codec.forget();
  const erased = await app.executor.execute(
    contactAggregate,
    contactUuid,
    { type: 'EraseContact', reason: input.reason ?? 'requested' },
    directCommand(app, { company, ...caller }),
  );

  const streams = await streamsOf(app, company, contactUuid, state.subject);
  const contact = contactStream.toName(contactUuid);
  const rewritten = {
    contacts: Number(await rewriteContact(app, contactUuid, contact)),
    messages: await rewriteEach(app, 'messages', streams.messages, messageStream),
    operations: await rewriteEach(app, 'operations', streams.operations, operationStream),
  };
  const deliveries = await emptyDeliveries(app, [contact, ...streams.messages, ...streams.conversations]);
  return { rewritten, deliveries, position: erased.position };
}

/** Beside its own events only received messages feed a contact, and only this field, which is not personal. */
const rewriteContact = (app: App, uuid: string, stream: string): Promise<boolean> =>
  rewriteDocument(app, 'contacts', uuid, async ({ doc, version }) => {
    const own = await replayTo(app, 'contacts', stream, version);
    return own && { ...own, last_interaction_at: doc['last_interaction_at'] };
  });

async function rewriteEach(
  app: App,
  collection: string,
  streams: readonly string[],
  names: StreamNames,
): Promise<number> {
  let changed = 0;
  for (const stream of streams) {
    const make = ({ version }: StoredDocument<Document>) => replayTo(app, collection, stream, version);
    if (await rewriteDocument(app, collection, names.match(stream)!, make)) changed += 1;
  }
  return changed;
}

interface PersonStreams {
  readonly messages: readonly string[];
  readonly operations: readonly string[];
  readonly conversations: readonly string[];
}

async function streamsOf(
  app: App,
  company: string,
  contactUuid: string,
  subject: string,
): Promise<PersonStreams> {
  const messages: string[] = [];
  for await (const { id } of allDocuments(app, 'messages', 'by_contact', [contactUuid])) {
    messages.push(messageStream.toName(id));
  }
  const conversations: string[] = [];
  for await (const { id } of allDocuments(app, 'conversations', 'by_contact_channel', [contactUuid])) {
    conversations.push(conversationStream.toName(id));
  }
  const operations: string[] = [];
  type OperationDoc = { readonly contact_uuid: string | null };
  for await (const { id, doc } of allDocuments<OperationDoc>(app, 'operations', 'by_company', [company])) {
    const stream = operationStream.toName(id);
    // Until it is attempted an operation names nobody but the sealing subject, which is in its first event.
    const theirs =
      doc.contact_uuid === null
        ? subjectOf(await app.store.read(stream, { limit: 1 })) === subject
        : doc.contact_uuid === contactUuid;
    if (theirs) operations.push(stream);
  }
  return { messages, operations, conversations };
}

const subjectOf = ([first]: readonly StoredRecord[]): unknown => first?.data['subject'];
