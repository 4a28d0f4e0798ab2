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
      body: inLowerCase(body as MessageRequest),
    });
    const Location = `${basePath}/operations/${accepted.uuid}`;
    return {
      status: 202,
      headers: replayed ? { Location, 'Idempotent-Replayed': 'true' } : { Location },
      body: { data: presentOperation(accepted) },
    };
  },
});

/** How a UUID is spelled does not matter to the caller; to the stores, which compare text, it does. */
const inLowerCase = (body: MessageRequest): MessageRequest =>
  body.channel_uuid === undefined ? body : { ...body, channel_uuid: body.channel_uuid.toLowerCase() };
