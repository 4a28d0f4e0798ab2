/**
 * Forgetting a person.
 *
 * The keys under which the person's fields are sealed are destroyed: from then on they read as null in every event, in
 * the history and in its backups. What was copied out of the events into documents is then made again by folding the
 * projections over the same streams, so that each document is what a rebuild of the read model would make of it.
 * Webhook deliveries are no projection: their bodies are emptied.
 *
 * Contacts that were merged are one person: whichever uuid is given, all of them go. The contact keeps its uuid, and so
 * does the claim on the phone (a keyed hash): if the person comes back, what is new is sealed under a new key, and erasing
 * again forgets that too.
 *
 * It is a process with a stream of its own (application/erasure); this asks for it and does its first pass. A worker
 * ends it, also after a crash.
 */
import type { ContactEvent } from '../../domain/contact/events.js';
import { contactStream } from '../../domain/contact/stream.js';
import type { Position } from '../../ports/event-store.js';
import { erasures } from '../../read-models/erasures.js';
import { directCommand, type App } from '../app.js';
import { destroyKeys, giveTo, sweepOnce } from '../erasure/carry-out.js';
import { rewriteDocuments, type Rewritten } from '../erasure/rewrite.js';
import { erasureId, erasuresOf } from '../erasure/scope.js';
import { streamsOf, type CopyOf } from '../erasure/streams.js';
import { finishedSurvivorOf, survivorOf } from '../people/survivor.js';
import { notFound, type Caller, type Written } from './common.js';
import { allDocuments } from './documents.js';

export interface Erased extends Written {
  readonly erasureUuid: string;
  /** Documents that held something of the person and no longer do. */
  readonly rewritten: Rewritten;
  readonly deliveries: number;
}

const NOTHING: Rewritten = { contacts: 0, messages: 0, operations: 0, orders: 0, executions: 0 };

/**
 * Resolves when the keys are destroyed and the first pass is over, or, with zeros, when the read models are too far
 * behind to say what is the person's: it then continues by itself.
 * @throws Refusal not_found
 */
export async function eraseContact(
  app: App,
  input: { readonly contactUuid: string; readonly reason?: string | undefined },
  caller: Caller,
): Promise<Erased> {
  const { contact: known } = await survivorOf(app, input.contactUuid);
  if (!known.exists) throw notFound('contact', 'contact');
  const context = directCommand(app, { company: known.companyUuid, ...caller });
  const { uuid: contactUuid, contact } = await finishedSurvivorOf(app, input.contactUuid, context);
  const before = await erasuresOf(app, contactUuid);
  const open = before.find(({ ended }) => !ended);
  const erasureUuid = open?.uuid ?? erasureId(contactUuid, before.length);
  const give = giveTo(app, erasureUuid, contact.companyUuid, caller);
  const requested = await give({ type: 'RequestErasure', companyUuid: contact.companyUuid, contactUuid });
  const reason = input.reason ?? 'requested';
  const { erasure, position, closed } = await destroyKeys(app, requested, give, { ...caller, reason });
  if (erasure.through === null) return { erasureUuid, rewritten: NOTHING, deliveries: 0, position };
  const { deliveries, elsewhere: _, ...swept } = await sweepOnce(app, erasure, give, caller);
  // The projection has emptied the contacts that were closed just now, so the sweep does not count them.
  const rewritten = { ...swept, contacts: Math.max(closed, swept.contacts) };
  return { erasureUuid, rewritten, deliveries, position };
}

const ERASED: ContactEvent['type'] = 'ContactErased';
const PAGE = 500;

/**
 * Makes the documents again of everybody who was erased after a position, or is being erased. For copies of read models
 * that were being filled meanwhile: they may have held a document in memory when the person's others were emptied.
 * @param copyOf the copy of a read model in which the person's documents are looked up
 */
export async function eraseAgain(app: App, since: Position, copyOf?: CopyOf): Promise<void> {
  const people = new Map<string, Set<string>>();
  const add = (company: string, uuids: readonly string[]): void => {
    const ofCompany = people.get(company) ?? new Set<string>();
    for (const uuid of uuids) ofCompany.add(uuid);
    people.set(company, ofCompany);
  };
  for (let after = since; ;) {
    const page = await app.store.readAll({
      after,
      limit: PAGE,
      prefixes: [contactStream.prefix],
      types: [ERASED],
    });
    for (const { type, stream, meta } of page.records) {
      if (type === ERASED) add(meta.company, [contactStream.match(stream)!]);
    }
    if (page.atEnd) break;
    after = page.next;
  }
  for await (const { doc } of allDocuments(app, erasures.name, 'by_shelf', ['open'])) {
    add(doc.company_uuid, doc.contact_uuids);
  }
  for (const [company, uuids] of people) {
    // Whose sends those are that nobody attempted can't be told any more: all of them are looked at.
    const streams = await streamsOf(app, company, uuids, () => true, copyOf);
    await rewriteDocuments(app, [...uuids], streams);
  }
}
