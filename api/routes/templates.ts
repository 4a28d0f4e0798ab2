import type { QueryDeps } from '../../application/queries/page.js';
import { findTemplate, listTemplates } from '../../application/queries/templates.js';
import { presentTemplate } from '../../application/resources/template.js';
import type { ApiCaller } from '../middleware/api-key.js';
import { pathParam, queryText, type Handlers } from '../middleware/call.js';
import { list, one, pageOf } from './replies.js';

export const templateRoutes = (deps: QueryDeps): Handlers<ApiCaller> => ({
  listTemplates: async (call) => {
    const filters = {
      status: queryText(call.query, 'status') ?? 'APPROVED',
      query: queryText(call.query, 'query'),
      channelUuid: queryText(call.query, 'channel_uuid')?.toLowerCase(),
    };
    return list(await listTemplates(deps, call.caller.company, filters, pageOf(call)), presentTemplate);
  },

  getTemplate: async ({ caller, params }) =>
    one(presentTemplate(await findTemplate(deps, caller.company, pathParam(params, 'name')))),
});
