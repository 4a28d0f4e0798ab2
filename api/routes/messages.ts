import type { App } from '../../application/app.js';
import type { acceptSend, MessageRequest } from '../../application/send/accept.js';
import type { ApiCaller } from '../middleware/api-key.js';
import type { Handlers } from '../middleware/call.js';
import { acceptedAs, keyedRequest } from './replies.js';

export type AcceptSend = typeof acceptSend;

/** @param basePath path under which the API is reached from outside: `/api/v1` */
export const messageRoutes = (app: App, accept: AcceptSend, basePath: string): Handlers<ApiCaller> => ({
  sendMessage: async (call, body: MessageRequest) =>
    acceptedAs(basePath, await accept(app, keyedRequest(call, inLowerCase(body)))),
});

/** How a UUID is spelled does not matter to the caller; to the stores, which compare text, it does. */
const inLowerCase = (body: MessageRequest): MessageRequest =>
  body.channel_uuid === undefined ? body : { ...body, channel_uuid: body.channel_uuid.toLowerCase() };
