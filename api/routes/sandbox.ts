import { trigger, type TriggerDeps, type TriggerRequest } from '../../application/sandbox/trigger.js';
import type { ApiCaller } from '../middleware/api-key.js';
import type { Handlers } from '../middleware/call.js';

export const sandboxRoutes = (deps: TriggerDeps): Handlers<ApiCaller> => ({
  triggerEvent: async ({ caller, requestId, operation }, body: TriggerRequest) => {
    const data = await trigger(deps, body, {
      companyUuid: caller.company,
      integrationUuid: caller.integration,
      keyId: caller.keyId,
      keyOwner: caller.integration,
      actor: caller.actor,
      requestId,
      method: operation.method,
      route: operation.path,
    });
    return { status: 202, body: { data } };
  },
});
