import { directCommand, type App } from '../../application/app.js';
import { listContacts, readContact } from '../../application/contacts/read.js';
import { upsertExternalContact } from '../../application/contacts/upsert-external.js';
import { changeContact } from '../../application/contacts/write.js';
import type { CommandContext } from '../../application/execute.js';
import type { QueryDeps } from '../../application/queries/page.js';
import { presentContact } from '../../application/resources/contact.js';
import type { ContactDetails } from '../../domain/policies/contact-details.js';
import type { ApiCaller } from '../middleware/api-key.js';
import { pathParam, queryText, type Call, type Handlers } from '../middleware/call.js';
import { list, one, pageOf } from './replies.js';

export const contactRoutes = (app: App, queries: QueryDeps): Handlers<ApiCaller> => ({
  listContacts: async (call) => {
    const { company, integration } = call.caller;
    const page = await listContacts(
      queries,
      company,
      { query: queryText(call.query, 'query'), integrationUuid: integration },
      pageOf(call),
    );
    return list(page, (contact) => presentContact(contact, integration));
  },

  getContact: async ({ caller, params }) => {
    const contact = await readContact(app.readModels, caller.company, pathParam(params, 'contact_uuid'));
    return one(presentContact(contact, caller.integration));
  },

  updateContact: async (call, body: ContactDetails) => {
    const { caller, params } = call;
    const contact = await changeContact(
      app,
      caller.company,
      pathParam(params, 'contact_uuid'),
      body,
      'api',
      commandOf(app, call),
    );
    return one(presentContact(contact, caller.integration));
  },

  upsertExternalContact: async (call, body: ContactDetails & { readonly phone: string }) => {
    const { caller, params } = call;
    const { phone, ...details } = body;
    const input = {
      companyUuid: caller.company,
      integrationUuid: caller.integration,
      externalId: pathParam(params, 'external_id'),
      phone,
      details,
      source: 'api',
    } as const;
    return one(
      presentContact(await upsertExternalContact(app, input, commandOf(app, call)), caller.integration),
    );
  },
});

const commandOf = (app: App, { caller, requestId }: Call<ApiCaller>): CommandContext =>
  directCommand(app, { company: caller.company, actor: caller.actor, correlationId: requestId });
