import type { App } from '../../application/app.js';
import { readOperation } from '../../application/queries/operations.js';
import { presentOperation } from '../../application/resources/operation.js';
import type { ApiCaller } from '../middleware/api-key.js';
import { pathParam, type Handlers } from '../middleware/call.js';
import { one } from './replies.js';

export const operationRoutes = (
  app: Pick<App, 'readModels' | 'store' | 'codec' | 'project'>,
): Handlers<ApiCaller> => ({
  getOperation: async ({ caller, params }) =>
    one(presentOperation(await readOperation(app, pathParam(params, 'operation_uuid'), caller.company))),
});
