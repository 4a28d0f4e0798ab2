/** Reads behind the contact routes. For a merged contact they return the surviving one. */
import { entryOf } from '../../domain/kernel/entries.js';
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { contactWords, searchTerms } from '../../domain/policies/contact-words.js';
import type { Found, IndexValue, ReadModels, StoredDocument } from '../../ports/read-models.js';
import { contacts, type ContactDoc } from '../../read-models/contacts.js';
import { decodeCursor, encodeCursor } from '../queries/cursor.js';
import { readPage, type Page, type PageRequest, type QueryDeps } from '../queries/page.js';
import type { ContactSource } from '../resources/contact.js';

export type StoredContact = ContactSource & Pick<ContactDoc, 'phone_key' | 'merged_into'>;

/** Maximum searches for one page when hits match only by another integration's ids; then the page ends early. */
const MAX_SEARCHES = 20;
const SEARCH_PAGE = 100;

/**
 * Newest first. Every term of `query` must be the prefix of a word of the contact.
 *
 * @param integrationUuid integration whose external ids the search may match; null for all
 * @throws Refusal invalid_cursor
 */
export async function listContacts(
  deps: QueryDeps,
  companyUuid: CompanyUuid,
  { query, integrationUuid }: { readonly query: string | undefined; readonly integrationUuid: string | null },
  page: PageRequest,
): Promise<Page<StoredContact>> {
  const text = (query ?? '').trim();
  const terms = searchTerms(text);
  const scope = { list: 'contacts', companyUuid, filters: [text === '' ? null : terms.join(' ')] };
  if (text === '') {
    const find = { index: 'by_company', equals: [companyUuid], order: 'desc' } as const;
    return readPage(deps, contacts.name, find, scope, page);
  }
  let from: readonly IndexValue[] | null =
    page.after === undefined ? null : decodeCursor(deps.cursorSecret, scope, page.after);
  // A query of punctuation alone matches no contact.
  if (terms.length === 0) return { documents: [], nextCursor: null };
  const kept: StoredDocument<StoredContact>[] = [];
  let searches = 0;
  do {
    const found: Found<ContactDoc> = await deps.readModels.search(contacts.name, {
      scope: companyUuid,
      prefixes: terms,
      order: 'desc',
      limit: searches === 0 ? page.limit : SEARCH_PAGE,
      ...(from ? { after: from } : {}),
    });
    kept.push(...found.documents.filter(({ doc }) => isFoundBy(doc, terms, integrationUuid)));
    from = found.next;
    searches += 1;
  } while (from !== null && kept.length < page.limit && searches < MAX_SEARCHES);
  const documents = kept.slice(0, page.limit);
  const last = documents[documents.length - 1];
  const next = kept.length > page.limit && last ? [last.doc.created_at, last.id] : from;
  return {
    documents: documents.map(({ doc }) => doc),
    nextCursor: next === null ? null : encodeCursor(deps.cursorSecret, scope, next),
  };
}

/** The index holds the external ids of all integrations; a search by one must not reveal those of the others. */
function isFoundBy(
  contact: StoredContact,
  terms: readonly string[],
  integrationUuid: string | null,
): boolean {
  const { external_ids: ids, phone, phone_key: phoneKey, name, email, tags } = contact;
  if (integrationUuid === null) return true;
  if (Object.entries(ids).every(([uuid, id]) => id === null || uuid === integrationUuid)) return true;
  const own = entryOf(ids, integrationUuid);
  const words = contactWords({ phone, phoneKey, name, email, tags, externalIds: own ? [own] : [] });
  return terms.every((term) => words.some((word) => word.startsWith(term)));
}

/** @throws Refusal not_found */
export async function readContact(
  readModels: ReadModels,
  companyUuid: CompanyUuid | null,
  uuid: string,
): Promise<StoredContact> {
  const found = (await readContacts(readModels, [uuid])).get(uuid);
  if (!found || (companyUuid !== null && found.company_uuid !== companyUuid)) {
    throw new Refusal('not_found', 'There is no such contact in your company.', {
      resource: 'contact',
      uuid,
    });
  }
  return found;
}

/** Each merge of a contact that already absorbed others makes the chain one longer. */
const MAX_CHAIN = 20;

/** Keyed by the requested uuids, including those of merged contacts; missing contacts are left out. */
export async function readContacts(
  readModels: ReadModels,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, StoredContact>> {
  const known = new Map<string, StoredContact>();
  let wanted: readonly string[] = [...new Set(uuids)];
  for (let step = 0; step < MAX_CHAIN && wanted.length > 0; step += 1) {
    const found = await readModels.getMany(contacts.name, wanted);
    for (const { id, doc } of found) known.set(id, doc);
    wanted = [
      ...new Set(found.flatMap(({ doc }) => (doc.merged_into === null ? [] : [doc.merged_into]))),
    ].filter((uuid) => !known.has(uuid));
  }
  const answers = new Map<string, StoredContact>();
  for (const uuid of uuids) {
    let doc = known.get(uuid);
    for (let step = 0; step < MAX_CHAIN && doc && doc.merged_into !== null; step += 1) {
      doc = known.get(doc.merged_into) ?? { ...doc, merged_into: null };
    }
    if (doc) answers.set(uuid, doc);
  }
  return answers;
}
