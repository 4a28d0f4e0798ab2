/**
 * Forgetting a person.
 *
 * The key under which the person's fields are sealed is destroyed: from then on they read as null in every event, in
 * the history and in its backups. What was copied out of the events into documents is then made again by folding the
 * projections over the same streams, so that each document is what a rebuild of the read model would make of it.
 * Webhook deliveries are no projection: their bodies are emptied.
 *
 * Contacts that were merged are one person: whichever uuid is given, all of them go.
 *
 * The contact keeps its uuid, and so does the claim on the phone (a keyed hash): if the person comes back, what is
 * new is sealed under a new key, and erasing again forgets that too. Every step may be repeated; a call that was
 * broken off is finished by the next one.
 */
import { contactAggregate } from '../../domain/contact/decide.js';
import type { ContactEvent } from '../../domain/contact/events.js';
import { contactStream } from '../../domain/contact/stream.js';
import { conversationStream } from '../../domain/conversation/stream.js';
import { executionAggregate } from '../../domain/execution/decide.js';
import { executionStream } from '../../domain/execution/stream.js';
import { identityAggregate } from '../../domain/identity/decide.js';
import type { StreamNames } from '../../domain/kernel/stream.js';
import { messageStream } from '../../domain/message/stream.js';
import { operationStream } from '../../domain/operation/stream.js';
import { orderStream } from '../../domain/order/stream.js';
import type { Position, StoredRecord } from '../../ports/event-store.js';
import type { Document, StoredDocument } from '../../ports/read-models.js';
import { directCommand, type App } from '../app.js';
import { eraseFiles } from '../media/erase.js';
import { subjectOf } from '../people/subject.js';
import { identitiesOf, survivorOf } from '../people/survivor.js';
import { notFound, type Caller, type Written } from './common.js';
import { emptyDeliveries } from './erase-deliveries.js';
import { allDocuments, replayTo, rewriteDocument } from './documents.js';

export interface Erased extends Written {
  /** Documents that held something of the person and no longer do. */
  readonly rewritten: {
    readonly contacts: number;
    readonly messages: number;
    readonly operations: number;
    readonly orders: number;
    readonly executions: number;
  };
  readonly deliveries: number;
}

/** @throws Refusal not_found */
export async function eraseContact(
  app: App,
  input: { readonly contactUuid: string; readonly reason?: string | undefined },
  caller: Caller,
): Promise<Erased> {
  const survivor = await survivorOf(app, input.contactUuid);
  if (!survivor.contact.exists) throw notFound('contact', 'contact');
  const company = survivor.contact.companyUuid;
  const uuids = [survivor.uuid, ...survivor.contact.absorbed];
  const person = await Promise.all(
    uuids.map(async (uuid) => ({
      uuid,
      contact: (await app.executor.load(contactAggregate, uuid)).state,
    })),
  );

  // First, while the external ids can still be read: somebody else may be linked to them from now on.
  const identities = new Map(
    person.flatMap(({ contact }) => identitiesOf(app, contact).map(({ stream, kind }) => [stream, kind])),
  );
  for (const [stream, kind] of identities) {
    if (kind !== 'external_id') continue;
    for (const { uuid } of person) {
      await app.executor.execute(
        identityAggregate,
        stream,
        { type: 'ReleaseIdentity', owner: uuid },
        directCommand(app, { company, ...caller }),
      );
    }
  }
  // Sends are sealed under what their phone derives to, before anybody knows whose contact that is.
  const subjects = new Set(
    person.flatMap(({ contact }) => [
      contact.subject,
      ...[...contact.phoneKeys, ...contact.userIds].map((who) => subjectOf(app.indexSecret, company, who)),
    ]),
  );
  for (const subject of subjects) await app.keys.destroy(subject);
  app.codec.forget();
  let position: Position | null = null;
  for (const { uuid } of person) {
    const erased = await app.executor.execute(
      contactAggregate,
      uuid,
      { type: 'EraseContact', reason: input.reason ?? 'requested' },
      directCommand(app, { company, ...caller }),
    );
    position = erased.position ?? position;
  }

  await endExecutions(app, company, uuids, caller);
  const streams = await streamsOf(app, company, new Set(uuids), (subject) => subjects.has(subject));
  const contacts = uuids.map((uuid) => contactStream.toName(uuid));
  const rewritten = await rewriteDocuments(app, uuids, streams);
  await eraseFiles(app, streams.messages);
  const deliveries = await emptyDeliveries(app, [
    ...contacts,
    ...streams.messages,
    ...streams.conversations,
    ...streams.orders,
    ...streams.executions,
  ]);
  return { rewritten, deliveries, position };
}

/** Nobody will answer any more, and some wait for that without end. One that is not shown yet ends at its next step. */
async function endExecutions(
  app: App,
  company: string,
  contactUuids: readonly string[],
  caller: Caller,
): Promise<void> {
  for (const contactUuid of contactUuids) {
    type ExecutionDoc = { readonly ended_at: string | null };
    const found = allDocuments<ExecutionDoc>(app, 'executions', 'by_contact', [contactUuid]);
    for await (const { id, doc } of found) {
      if (doc.ended_at !== null) continue;
      await app.executor.execute(
        executionAggregate,
        id,
        { type: 'EndExecution', status: 'cancelled', reason: 'contact_erased' },
        directCommand(app, { company, ...caller }),
      );
    }
  }
}

const ERASED: ContactEvent['type'] = 'ContactErased';
const PAGE = 500;

/**
 * Makes the documents again of everybody who was erased after a position. For copies of read models that were being
 * filled meanwhile: they may have held a document in memory when the person's others were emptied.
 */
export async function eraseAgain(app: App, since: Position): Promise<void> {
  const people = new Map<string, Set<string>>();
  for (let after = since; ;) {
    const page = await app.store.readAll({
      after,
      limit: PAGE,
      prefixes: [contactStream.prefix],
      types: [ERASED],
    });
    for (const { type, stream, meta } of page.records) {
      if (type !== ERASED) continue;
      const ofCompany = people.get(meta.company) ?? new Set();
      people.set(meta.company, ofCompany.add(contactStream.match(stream)!));
    }
    if (page.atEnd) break;
    after = page.next;
  }
  for (const [company, uuids] of people) {
    // Whose sends those are that nobody attempted can't be told any more: all of them are looked at.
    await rewriteDocuments(app, [...uuids], await streamsOf(app, company, uuids, () => true));
  }
}

async function rewriteDocuments(
  app: App,
  uuids: readonly string[],
  streams: PersonStreams,
): Promise<Erased['rewritten']> {
  let contacts = 0;
  for (const uuid of uuids) {
    if (await rewriteContact(app, uuid, contactStream.toName(uuid))) contacts += 1;
  }
  return {
    contacts,
    messages: await rewriteEach(app, 'messages', streams.messages, messageStream),
    operations: await rewriteEach(app, 'operations', streams.operations, operationStream),
    orders: await rewriteEach(app, 'orders', streams.orders, orderStream),
    executions: await rewriteEach(app, 'executions', streams.executions, executionStream),
  };
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
  readonly orders: readonly string[];
  readonly executions: readonly string[];
}

async function streamsOf(
  app: App,
  company: string,
  contactUuids: ReadonlySet<string>,
  theirSubject: (subject: string) => boolean,
): Promise<PersonStreams> {
  const messages: string[] = [];
  const conversations: string[] = [];
  const orders: string[] = [];
  const executions: string[] = [];
  for (const contactUuid of contactUuids) {
    for await (const { id } of allDocuments(app, 'messages', 'by_contact', [contactUuid])) {
      messages.push(messageStream.toName(id));
    }
    for await (const { id } of allDocuments(app, 'conversations', 'by_contact_channel', [contactUuid])) {
      conversations.push(conversationStream.toName(id));
    }
    for await (const { id } of allDocuments(app, 'orders', 'by_contact', [contactUuid])) {
      orders.push(orderStream.toName(id));
    }
    for await (const { id } of allDocuments(app, 'executions', 'by_contact', [contactUuid])) {
      executions.push(executionStream.toName(id));
    }
  }
  const operations: string[] = [];
  type OperationDoc = { readonly type: string; readonly contact_uuid: string | null };
  for await (const { id, doc } of allDocuments<OperationDoc>(app, 'operations', 'by_company', [company])) {
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
