import { readOwned } from '../../application/queries/page.js';
import { presentOperation, type OperationSource } from '../../application/resources/operation.js';
import type { ReadModels } from '../../ports/read-models.js';
import type { ApiCaller } from '../middleware/api-key.js';
import type { Handlers } from '../middleware/call.js';
import { one } from './replies.js';

export const operationRoutes = (readModels: ReadModels): Handlers<ApiCaller> => ({
  getOperation: async ({ caller, params }) => {
    const uuid = params['operation_uuid']!;
    return one(
      presentOperation(
        await readOwned<OperationSource>(readModels, 'operations', uuid, caller.company, 'operation'),
      ),
    );
  },
});
