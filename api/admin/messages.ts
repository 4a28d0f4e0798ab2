/** What was sent, message by message: as the public API shows it, without an integration. */
import type { App } from '../../application/app.js';
import type { PresentMedia } from '../../application/media/present-media.js';
import { readMessageStory } from '../../application/queries/message-story.js';
import type { QueryDeps } from '../../application/queries/page.js';
import { listRefusedSends } from '../../application/queries/refused-sends.js';
import { listSentMessages } from '../../application/queries/sent-messages.js';
import { loadIntegration, notFound } from '../../application/provisioning/common.js';
import { presentSentMessage } from '../../application/resources/sent-message.js';
import { companies } from '../../read-models/companies.js';
import { pathParam, queryText, type Call } from '../middleware/call.js';
import { messageFilter, subjectsOfPhone, timeRange } from '../routes/message-filter.js';
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

  return {
    listCompanyMessages: async (call) => {
      const company = await companyOf(call);
      const integration = (await integrationOf(call, company)) ?? '';
      const filter = await messageFilter(app, { query: call.query, caller: { company, integration } });
      const page = await listSentMessages({ ...queries, app }, company, filter, pageOf(call));
      return list(page, (sent) => presentSentMessage(sent, showMedia));
    },

    listCompanyRefusals: async (call) => {
      const company = await companyOf(call);
      const integration = await integrationOf(call, company);
      if (integration === null) throw notFound('integration', 'integration');
      const phone = queryText(call.query, 'phone');
      const [subject] = phone === undefined ? [] : subjectsOfPhone(app, company, phone);
      const whose = { companyUuid: company, integrationUuid: integration };
      const filter = { subject, ...timeRange(call.query) };
      return list(await listRefusedSends({ ...queries, app }, whose, filter, pageOf(call)), (row) => row);
    },

    getCompanyMessage: async (call) => {
      const whose = { companyUuid: await companyOf(call), integrationUuid: null };
      const story = await readMessageStory(app, whose, pathParam(call.params, 'message_uuid'));
      return one({ ...presentSentMessage(story, showMedia), timeline: story.timeline });
    },
  };
}
