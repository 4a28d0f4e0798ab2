import type { App } from '../../application/app.js';
import { presentOperation, type OperationSource } from '../../application/resources/operation.js';
import type { acceptSend, MessageRequest } from '../../application/send/accept.js';
import type { ApiCaller } from '../middleware/api-key.js';
import type { Handlers } from '../middleware/call.js';

export type AcceptSend = typeof acceptSend<OperationSource>;

/** @param basePath path under which the API is reached from outside: `/api/v1` */
export const messageRoutes = (app: App, accept: AcceptSend, basePath: string): Handlers<ApiCaller> => ({
  sendMessage: async ({ caller, requestId, operation, headers, body }) => {
    const { operation: accepted, replayed } = await accept(app, {
      companyUuid: caller.company,
      integrationUuid: caller.integration,
      keyId: caller.keyId,
      idempotencyKey: headers['idempotency-key'] as string,
      requestId,
      method: operation.method,
      route: operation.path,
      body: body as MessageRequest,
    });
    const Location = `${basePath}/operations/${accepted.uuid}`;
    return {
      status: 202,
      headers: replayed ? { Location, 'Idempotent-Replayed': 'true' } : { Location },
      body: { data: presentOperation(accepted) },
    };
  },
});
