/** What was sent, message by message: as the public API shows it, without an integration. */
import type { App } from '../../application/app.js';
import type { PresentMedia } from '../../application/media/present-media.js';
import { readMessageStory } from '../../application/queries/message-story.js';
import type { QueryDeps } from '../../application/queries/page.js';
import { listRefusedSends } from '../../application/queries/refused-sends.js';
import { listSentMessages } from '../../application/queries/sent-messages.js';
import { loadIntegration, notFound } from '../../application/provisioning/common.js';
import { readContacts } from '../../application/contacts/read.js';
import { presentSentMessage } from '../../application/resources/sent-message.js';
import { companies } from '../../read-models/companies.js';
import { pathParam, queryText, type Call } from '../middleware/call.js';
import { queryTimes } from '../middleware/query-time.js';
import { messageFilter, subjectsOfPhone } from '../routes/message-filter.js';
import { list, one, pageOf } from '../routes/replies.js';
import { readDocument, uuidParameter, type AdminHandlers } from './support.js';

export function messageRoutes(app: App, queries: QueryDeps, showMedia: PresentMedia): AdminHandlers {
  const companyOf = async ({ params }: Pick<Call, 'params'>): Promise<string> => {
    const company = pathParam(params, 'company_uuid');
    await readDocument(app.readModels, companies.name, company, 'company');
    return company;
  };
  /** @throws Refusal not_found for an integration of another company */
  const integrationOf = async (call: Call, company: string): Promise<string | null> => {
    const uuid = uuidParameter(call, 'integration');
    if (uuid === undefined) return null;
    const integration = await loadIntegration(app, uuid);
    if (integration.companyUuid !== company) throw notFound('integration', 'integration');
    return uuid;
  };

  type Sent = Parameters<typeof presentSentMessage>[0];
  /** Presents each with the name and phone of the person it is for. */
  async function withPeople(all: readonly Sent[]) {
    const uuids = all.flatMap(({ contactUuid }) => contactUuid ?? []);
    const people = await readContacts(app.readModels, [...new Set(uuids)]);
    return (sent: Sent) => {
      const person = people.get(sent.contactUuid ?? '');
      return {
        ...presentSentMessage(sent, showMedia),
        contact: person ? { name: person.name, phone: person.phone } : null,
      };
    };
  }

  return {
    listCompanyMessages: async (call) => {
      const company = await companyOf(call);
      const integration = (await integrationOf(call, company)) ?? '';
      const filter = await messageFilter(app, { query: call.query, caller: { company, integration } });
      const page = await listSentMessages({ ...queries, app }, company, filter, pageOf(call));
      const shown = await withPeople(page.documents);
      return list(page, shown);
    },

    listCompanyRefusals: async (call) => {
      const company = await companyOf(call);
      const integration = await integrationOf(call, company);
      if (integration === null) throw notFound('integration', 'integration');
      const phone = queryText(call.query, 'phone');
      const [subject] = phone === undefined ? [] : subjectsOfPhone(app, company, phone);
      const whose = { companyUuid: company, integrationUuid: integration };
      const filter = { subject, ...queryTimes(call.query) };
      return list(await listRefusedSends({ ...queries, app }, whose, filter, pageOf(call)), (row) => row);
    },

    getCompanyMessage: async (call) => {
      const whose = { companyUuid: await companyOf(call), integrationUuid: null };
      const story = await readMessageStory(app, whose, pathParam(call.params, 'message_uuid'));
      const shown = await withPeople([story]);
      return one({ ...shown(story), timeline: story.timeline });
    },
  };
}
