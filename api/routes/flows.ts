import type { App } from '../../application/app.js';
import { acceptExecution, type ExecutionRequest } from '../../application/flows/accept.js';
import { listFlows, readFlow } from '../../application/queries/flows.js';
import type { QueryDeps } from '../../application/queries/page.js';
import { presentFlow } from '../../application/resources/flow.js';
import type { ApiCaller } from '../middleware/api-key.js';
import { pathParam, queryText, type Handlers } from '../middleware/call.js';
import { acceptedAs, keyedRequest, list, one, pageOf } from './replies.js';

/** @param basePath external path of the API: `/api/v1` */
export const flowRoutes = (app: App, deps: QueryDeps, basePath: string): Handlers<ApiCaller> => ({
  listFlows: async (call) => {
    const status = queryText(call.query, 'status');
    return list(await listFlows(deps, call.caller.company, status, pageOf(call)), presentFlow);
  },

  getFlow: async ({ caller, params }) =>
    one(presentFlow(await readFlow(deps, caller.company, pathParam(params, 'flow_uuid')))),

  executeFlow: async (call, body: ExecutionRequest) =>
    acceptedAs(
      basePath,
      await acceptExecution(app, pathParam(call.params, 'flow_uuid'), keyedRequest(call, body)),
    ),
});
