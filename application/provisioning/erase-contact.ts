/**
 * Erases a person.
 *
 * The keys under which the person's fields are sealed are destroyed. From then on the fields read as null in every
 * event, in the history and in its backups. The documents that copied them are then rebuilt by folding the projections
 * over the same streams, so that each is identical to the result of a rebuild. Webhook deliveries are not projected:
 * their bodies are emptied.
 *
 * Merged contacts are one person: all of them are erased, no matter which uuid is given. The contact keeps its uuid,
 * and the claim on the phone (a keyed hash) stays. If the person returns, new data is sealed under a new key, and a
 * second erasure destroys that too. Data that came in before the erasure and is recorded after it is sealed with no key
 * (`CommandContext.dataFrom`).
 *
 * An erasure is a process with its own stream (application/erasure); this requests it and runs its first pass. A worker
 * completes it, also after a crash.
 */
import type { ContactEvent } from '../../domain/contact/events.js';
import type { ContactUuid } from '../../domain/kernel/ids.js';
import { contactStream } from '../../domain/streams.js';
import type { Position } from '../../ports/event-store.js';
import { erasures } from '../../read-models/erasures.js';
import { directCommand, type App } from '../app.js';
import { destroyKeys, giveTo, sweepOnce, type ErasureDeps } from '../erasure/carry-out.js';
import { rewriteDocuments, type Rewritten } from '../erasure/rewrite.js';
import { erasureId, erasuresOf } from '../erasure/scope.js';
import { streamsOf, type CopyOf } from '../erasure/streams.js';
import { primaryContactAfterMerge, primaryContactOf } from '../people/primary-contact.js';
import { notFound, type Caller, type Written } from './common.js';
import { allDocuments } from './documents.js';

export interface Erased extends Written {
  readonly erasureUuid: string;
  /** Counts of documents that held personal data and no longer do. */
  readonly rewritten: Rewritten;
  readonly deliveries: number;
}

const NOTHING: Rewritten = { contacts: 0, messages: 0, operations: 0, orders: 0, executions: 0 };

/**
 * Resolves when the keys are destroyed and the first pass is complete. When the read models lag too far behind to
 * determine the person's data, resolves with zeros; the erasure then continues by itself.
 * @throws Refusal not_found
 */
export async function eraseContact(
  app: ErasureDeps & Pick<App, 'clock'>,
  input: { readonly contactUuid: ContactUuid; readonly reason?: string | undefined },
  caller: Caller,
): Promise<Erased> {
  const { contact: known } = await primaryContactOf(app, input.contactUuid);
  if (!known.exists) throw notFound('contact', 'contact');
  const context = directCommand(app, { company: known.companyUuid, ...caller });
  const { uuid: contactUuid, contact } = await primaryContactAfterMerge(app, input.contactUuid, context);
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
 * Rebuilds the documents of every person who was erased after a position, or is being erased. For read-model copies
 * that were being filled meanwhile: their builder may have held a document in memory when the person's other documents
 * were emptied.
 * @param copyOf the copy of a read model in which the person's documents are searched
 */
export async function eraseAgain(
  app: Pick<App, 'readModels' | 'replay' | 'store'>,
  since: Position,
  copyOf?: CopyOf,
): Promise<void> {
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
    // The person of a send that was never attempted can no longer be determined: all such sends are rewritten.
    const streams = await streamsOf(app, company, uuids, () => true, copyOf);
    await rewriteDocuments(app, [...uuids], streams);
  }
}
