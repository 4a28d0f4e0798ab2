import { listFlows, readFlow } from '../../application/queries/flows.js';
import type { QueryDeps } from '../../application/queries/page.js';
import { presentFlow } from '../../application/resources/flow.js';
import type { ApiCaller } from '../middleware/api-key.js';
import type { Handlers } from '../middleware/call.js';
import { list, one, pageOf } from './replies.js';

export const flowRoutes = (deps: QueryDeps): Handlers<ApiCaller> => ({
  listFlows: async (call) => {
    const { status } = call.query as { readonly status?: string };
    return list(await listFlows(deps, call.caller.company, status, pageOf(call)), presentFlow);
  },

  getFlow: async ({ caller, params }) =>
    one(presentFlow(await readFlow(deps, caller.company, params['flow_uuid']!))),
});
