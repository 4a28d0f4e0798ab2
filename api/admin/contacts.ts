import type { App } from '../../application/app.js';
import { eraseContact } from '../../application/provisioning/erase-contact.js';
import { readFilteredPage, readPage, type QueryDeps } from '../../application/queries/page.js';
import { presentContact, type ContactSource } from '../../application/resources/contact.js';
import { list, one, pageOf } from '../routes/replies.js';
import { commander, readDocument, type AdminHandlers } from './support.js';

/** Whose `external_id` an operator sees: there is no calling integration, so the first that has linked the contact. */
export const integrationOf = (contact: ContactSource | undefined): string =>
  Object.keys(contact?.external_ids ?? {})[0] ?? '';

const present = (contact: ContactSource) => presentContact(contact, integrationOf(contact));

export const contactRoutes = (app: App, queries: QueryDeps): AdminHandlers => ({
  listContacts: async (call) => {
    const company = call.params['company_uuid']!;
    await readDocument(app.readModels, 'companies', company, 'company');
    const words = fold((call.query['query'] as string | undefined) ?? '');
    const find = { index: 'by_company', equals: [company], order: 'desc' } as const;
    const scope = { list: 'admin-contacts', companyUuid: company, filters: [words] };
    const page =
      words === ''
        ? await readPage<ContactSource>(queries, 'contacts', find, scope, pageOf(call))
        : await readFilteredPage<ContactSource>(
            queries,
            'contacts',
            find,
            scope,
            pageOf(call),
            (contact) => matches(contact, words),
            ({ id, doc }) => [doc.created_at, id],
          );
    return list(page, present);
  },

  getContact: async ({ params }) =>
    one(
      present(
        await readDocument<ContactSource>(app.readModels, 'contacts', params['contact_uuid']!, 'contact'),
      ),
    ),

  eraseContact: async (call) => {
    const contactUuid = call.params['contact_uuid']!;
    const { rewritten, deliveries } = await eraseContact(app, { contactUuid }, commander(call));
    return one({ contact_uuid: contactUuid, rewritten, deliveries });
  },
});

function matches({ name, phone, email }: ContactSource, words: string): boolean {
  const digits = words.replaceAll(/\D/g, '');
  return (
    [name, email].some((text) => text !== null && fold(text).includes(words)) ||
    (digits.length > 2 && phone !== null && phone.includes(digits))
  );
}

/** Lower case, without accents. */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();
