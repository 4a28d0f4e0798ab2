import { directCommand, type App } from '../../application/app.js';
import { importContacts, type ImportRow } from '../../application/contacts/import.js';
import { listMarketingChoices, type MarketingChoice } from '../../application/contacts/choices.js';
import { optIn, optOut } from '../../application/contacts/marketing.js';
import { listContacts, readContact, type StoredContact } from '../../application/contacts/read.js';
import { changeContact, contactAfterWrite, unknown } from '../../application/contacts/write.js';
import type { CommandContext } from '../../application/execute.js';
import { mergeContacts, primaryContactOf } from '../../application/people/primary-contact.js';
import { loadIntegration, notFound } from '../../application/provisioning/common.js';
import { eraseContact } from '../../application/provisioning/erase-contact.js';
import type { QueryDeps } from '../../application/queries/page.js';
import { presentContact, type ContactSource } from '../../application/resources/contact.js';
import type { ContactUuid } from '../../domain/kernel/ids.js';
import type { ContactDetails } from '../../domain/policies/contact-details.js';
import { pathParam, queryText, type Call } from '../middleware/call.js';
import { list, one, pageOf } from '../routes/replies.js';
import { companies } from '../../read-models/companies.js';
import { actorOf } from './masking.js';
import { commander, countedPageOf, readDocument, type AdminHandlers } from './support.js';

/**
 * The integration whose `external_id` an operator sees. No integration is calling, so the first that has linked the
 * contact.
 */
export const integrationOf = (contact: ContactSource | undefined): string =>
  Object.entries(contact?.external_ids ?? {}).find(([, id]) => id !== null)?.[0] ?? '';

const present = (contact: StoredContact) => presentContact(contact, integrationOf(contact));

const presentChoice = ({ actor, actor_name: name, ...choice }: MarketingChoice) => ({
  ...choice,
  actor: { ...actorOf(actor), name },
});

interface ImportBody {
  readonly integration_uuid?: string;
  readonly preview?: boolean;
  readonly rows: readonly ImportRow[];
}

export function contactRoutes(app: App, queries: QueryDeps): AdminHandlers {
  const commandOf = (call: Call, company: string): CommandContext =>
    directCommand(app, { company, ...commander(call) });

  const companyOf = async (uuid: string): Promise<string> => {
    const { contact } = await primaryContactOf(app, uuid);
    if (!contact.exists) throw unknown(uuid);
    return contact.companyUuid;
  };

  const wish = (record: typeof optOut) => async (call: Call) => {
    const uuid = pathParam(call.params, 'contact_uuid');
    const companyUuid = await companyOf(uuid);
    const at = new Date(app.clock.now()).toISOString();
    await record(
      app,
      { companyUuid, uuid },
      { source: 'manual', at, messageUuid: null },
      commandOf(call, companyUuid),
    );
    return one(present(await contactAfterWrite(app, (await primaryContactOf(app, uuid)).uuid)));
  };

  return {
    listContacts: async (call) => {
      const company = pathParam(call.params, 'company_uuid');
      await readDocument(app.readModels, companies.name, company, 'company');
      const query = queryText(call.query, 'query');
      return list(
        await listContacts(queries, company, { query, integrationUuid: null }, countedPageOf(call)),
        present,
      );
    },

    getContact: async ({ params }) =>
      one(present(await readContact(app.readModels, null, pathParam(params, 'contact_uuid')))),

    listMarketingChoices: async (call) =>
      list(
        await listMarketingChoices(app, queries, pathParam(call.params, 'contact_uuid'), pageOf(call)),
        presentChoice,
      ),

    changeContact: async (call, details: ContactDetails) => {
      const uuid = pathParam(call.params, 'contact_uuid');
      const company = await companyOf(uuid);
      return one(
        present(await changeContact(app, company, uuid, details, 'admin', commandOf(call, company))),
      );
    },

    eraseContact: async (call, body?: { readonly reason?: string }) => {
      const contactUuid = pathParam(call.params, 'contact_uuid');
      const { erasureUuid, rewritten, deliveries } = await eraseContact(
        app,
        { contactUuid, reason: body?.reason },
        commander(call),
      );
      return one({ contact_uuid: contactUuid, erasure_uuid: erasureUuid, rewritten, deliveries });
    },

    optOutContact: wish(optOut),
    optInContact: wish(optIn),

    mergeContacts: async (call, body: { readonly contact_uuid: ContactUuid }) => {
      const uuid = pathParam(call.params, 'contact_uuid');
      const other = body.contact_uuid.toLowerCase();
      const company = await companyOf(uuid);
      const survivor = await mergeContacts(app, company, [uuid, other], 'manual', commandOf(call, company));
      return one(present(await contactAfterWrite(app, survivor.uuid)));
    },

    importContacts: async (call, { integration_uuid, preview, rows }: ImportBody) => {
      const companyUuid = pathParam(call.params, 'company_uuid');
      await readDocument(app.readModels, companies.name, companyUuid, 'company');
      const integrationUuid = integration_uuid?.toLowerCase() ?? null;
      if (integrationUuid !== null) {
        const integration = await loadIntegration(app, integrationUuid);
        if (integration.companyUuid !== companyUuid) throw notFound('integration', 'integration');
      }
      const input = { companyUuid, integrationUuid, preview: preview ?? false, rows };
      return one({ rows: await importContacts(app, input, commandOf(call, companyUuid)) });
    },
  };
}
