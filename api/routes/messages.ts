import type { App } from '../../application/app.js';
import type { PresentMedia } from '../../application/media/present-media.js';
import { readMessageStory } from '../../application/queries/message-story.js';
import type { QueryDeps } from '../../application/queries/page.js';
import { listRefusedSends } from '../../application/queries/refused-sends.js';
import { listSentMessages } from '../../application/queries/sent-messages.js';
import { presentSentMessage } from '../../application/resources/sent-message.js';
import type { acceptSend, MessageRequest } from '../../application/send/accept.js';
import type { ApiCaller } from '../middleware/api-key.js';
import { pathParam, queryText, type Handlers } from '../middleware/call.js';
import { queryTimes } from '../middleware/query-time.js';
import { messageFilter, subjectsOfPhone } from './message-filter.js';
import { acceptedAs, keyedRequest, list, one, pageOf } from './replies.js';

export type AcceptSend = typeof acceptSend;

/** @param basePath external path of the API: `/api/v1` */
export const messageRoutes = (
  app: App,
  queries: QueryDeps,
  showMedia: PresentMedia,
  accept: AcceptSend,
  basePath: string,
): Handlers<ApiCaller> => ({
  listMessages: async (call) => {
    const filter = await messageFilter(app, call);
    const page = await listSentMessages({ ...queries, app }, call.caller.company, filter, pageOf(call));
    return list(page, (sent) => presentSentMessage(sent, showMedia));
  },

  listRefusedMessages: async (call) => {
    const { company, integration } = call.caller;
    const phone = queryText(call.query, 'phone');
    const [subject] = phone === undefined ? [] : subjectsOfPhone(app, company, phone);
    const filter = { subject, ...queryTimes(call.query) };
    const whose = { companyUuid: company, integrationUuid: integration };
    return list(await listRefusedSends({ ...queries, app }, whose, filter, pageOf(call)), (one) => one);
  },

  getMessage: async ({ caller, params }) => {
    const whose = { companyUuid: caller.company, integrationUuid: caller.integration };
    const story = await readMessageStory(app, whose, pathParam(params, 'message_uuid'));
    return one({ ...presentSentMessage(story, showMedia), timeline: story.timeline });
  },

  sendMessage: async (call, body: MessageRequest) =>
    acceptedAs(basePath, await accept(app, keyedRequest(call, inLowerCase(body)))),
});

/** Callers may spell a UUID in any case; the stores compare text, so it is converted to lower case. */
const inLowerCase = (body: MessageRequest): MessageRequest =>
  body.channel_uuid === undefined ? body : { ...body, channel_uuid: body.channel_uuid.toLowerCase() };
