import {
  listConversations,
  listMessages,
  readConversation,
} from '../../application/queries/conversations.js';
import type { PresentMedia } from '../../application/media/present-media.js';
import type { QueryDeps } from '../../application/queries/page.js';
import { presentConversation, presentConversationDetail } from '../../application/resources/conversation.js';
import { presentMessage, type MessageSource } from '../../application/resources/message.js';
import type { Clock } from '../../ports/clock.js';
import type { ApiCaller } from '../middleware/api-key.js';
import { pathParam, queryText, type Handlers } from '../middleware/call.js';
import { DEFAULT_PAGE, list, listBody, one, pageOf } from './replies.js';

export function conversationRoutes(
  deps: QueryDeps,
  showMedia: PresentMedia,
  clock: Clock,
): Handlers<ApiCaller> {
  const present = (message: MessageSource) => presentMessage(message, showMedia);
  return {
    listConversations: async (call) => {
      const { company, integration } = call.caller;
      const status = queryText(call.query, 'status');
      const page = await listConversations(deps, company, status, pageOf(call));
      return list(page, ({ conversation, contact }) =>
        presentConversation(conversation, contact, integration),
      );
    },

    getConversation: async ({ caller, params, query }) => {
      const uuid = pathParam(params, 'conversation_uuid');
      const { conversation, ...parts } = await readConversation(deps, caller.company, uuid);
      const detail = presentConversationDetail(conversation, parts, caller.integration, clock.now());
      if (query['include'] !== 'messages') return one(detail);
      const messages = await listMessages(deps, caller.company, uuid, { limit: DEFAULT_PAGE });
      return one({ ...detail, messages: listBody(messages, present) });
    },

    listConversationMessages: async (call) => {
      const uuid = pathParam(call.params, 'conversation_uuid');
      const order = call.query['order'] === 'recorded' ? 'recorded' : 'newest';
      return list(await listMessages(deps, call.caller.company, uuid, pageOf(call), order), present);
    },
  };
}
