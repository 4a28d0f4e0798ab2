import type { App } from '../../application/app.js';
import type { acceptSend, MessageRequest } from '../../application/send/accept.js';
import type { ApiCaller } from '../middleware/api-key.js';
import type { Handlers } from '../middleware/call.js';
import { acceptedAs, keyedRequest } from './replies.js';

export type AcceptSend = typeof acceptSend;

/** @param basePath external path of the API: `/api/v1` */
export const messageRoutes = (app: App, accept: AcceptSend, basePath: string): Handlers<ApiCaller> => ({
  sendMessage: async (call, body: MessageRequest) =>
    acceptedAs(basePath, await accept(app, keyedRequest(call, inLowerCase(body)))),
});

/** Callers may spell a UUID in any case; the stores compare text, so it is converted to lower case. */
const inLowerCase = (body: MessageRequest): MessageRequest =>
  body.channel_uuid === undefined ? body : { ...body, channel_uuid: body.channel_uuid.toLowerCase() };
