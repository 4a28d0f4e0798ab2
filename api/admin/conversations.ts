import type { App } from '../../application/app.js';
import {
  assignConversation,
  markConversationPending,
  readConversation,
  reopenConversation,
  resolveConversation,
  takeOverConversation,
  writeNote,
  type ConversationRef,
} from '../../application/conversations/commands.js';
import { lastInboundAt } from '../../application/conversation/service-window.js';
import type { PresentMedia } from '../../application/media/present-media.js';
import { uuidsOfPerson } from '../../application/people/primary-contact.js';
import type { Caller, Written } from '../../application/provisioning/common.js';
import { listMessages, readConversation as readDetail } from '../../application/queries/conversations.js';
import { listSteps } from '../../application/queries/conversation-steps.js';
import { listInbox, type InboxRow } from '../../application/queries/inbox.js';
import type { QueryDeps } from '../../application/queries/page.js';
import { presentConversation, presentConversationDetail } from '../../application/resources/conversation.js';
import { presentMessage } from '../../application/resources/message.js';
import { acceptReply, type Reply as Answer } from '../../application/send/accept-reply.js';
import type { ConversationUuid } from '../../domain/kernel/ids.js';
import type { Position } from '../../ports/event-store.js';
import { companies } from '../../read-models/companies.js';
import { conversations } from '../../read-models/conversations.js';
import { messages } from '../../read-models/messages.js';
import { pathParam, queryText, type Call, type Reply } from '../middleware/call.js';
import { acceptedAs, list, one, pageOf } from '../routes/replies.js';
import { integrationOf } from './contacts.js';
import {
  ADMIN_PATH,
  commander,
  countedPageOf,
  created,
  readDocument,
  readWritten,
  uuidParameter,
  type AdminHandlers,
} from './support.js';

interface AssignmentBody {
  readonly agent_uuid?: string | null;
  readonly group_uuid?: string | null;
}

/** Undefined where the query says nothing. */
function flagOf({ query }: Call, name: string): boolean | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  return value === true || value === 'true';
}

function presentRow({ conversation, contact, agent, last }: InboxRow, showMedia: PresentMedia) {
  return {
    ...presentConversation(conversation, contact, integrationOf(contact)),
    assigned_agent: agent ? { uuid: agent.uuid, name: agent.name ?? '' } : null,
    with_flow: conversation.execution_uuid !== null,
    last_inbound_at: conversation.last_inbound_at,
    last_message: last ? presentMessage(last, showMedia) : null,
  };
}

export function conversationRoutes(app: App, queries: QueryDeps, showMedia: PresentMedia): AdminHandlers {
  const detail = async (conversationUuid: ConversationUuid, position: Position | null): Promise<Reply> => {
    const { company_uuid: company } = await readWritten(app, conversations.name, conversationUuid, position);
    const { conversation, ...parts } = await readDetail(queries, company, conversationUuid);
    const shown = presentConversationDetail(
      conversation,
      parts,
      integrationOf(parts.contact),
      app.clock.now(),
    );
    const { contact_uuid: contact, channel_uuid: channel } = conversation;
    return one({
      ...shown,
      with_flow: conversation.execution_uuid !== null,
      last_inbound_at: await lastInboundAt(app, contact, channel),
    });
  };
  const run =
    (command: (app: App, conversation: ConversationRef, caller: Caller) => Promise<Written>) =>
    async (call: Call): Promise<Reply> => {
      const conversationUuid = pathParam(call.params, 'conversation_uuid');
      const { position } = await command(app, { conversationUuid }, commander(call));
      return detail(conversationUuid, position);
    };

  return {
    listConversations: async (call) => {
      const company = pathParam(call.params, 'company_uuid');
      await readDocument(app.readModels, companies.name, company, 'company');
      const agent = uuidParameter(call, 'agent');
      const contact = uuidParameter(call, 'contact');
      const filter = {
        status: queryText(call.query, 'status'),
        agent: agent === 'none' ? null : agent,
        channel: uuidParameter(call, 'channel'),
        person: contact === undefined ? undefined : await uuidsOfPerson(app, contact),
        unread: flagOf(call, 'unread') === true ? true : undefined,
        withFlow: flagOf(call, 'with_flow'),
      };
      return list(await listInbox(queries, company, filter, countedPageOf(call)), (row) =>
        presentRow(row, showMedia),
      );
    },
    getConversation: async ({ params }) => {
      const uuid = pathParam(params, 'conversation_uuid');
      await readDocument(app.readModels, conversations.name, uuid, 'conversation');
      return detail(uuid, null);
    },
    resolveConversation: run(resolveConversation),
    reopenConversation: run(reopenConversation),
    markConversationPending: run(markConversationPending),
    markReadConversation: run(readConversation),
    takeOverConversation: run(takeOverConversation),

    assignConversation: async (call, { agent_uuid, group_uuid }: AssignmentBody) => {
      const conversationUuid = pathParam(call.params, 'conversation_uuid');
      const assignment = {
        conversationUuid,
        ...(agent_uuid === undefined ? {} : { agentUuid: agent_uuid?.toLowerCase() ?? null }),
        ...(group_uuid === undefined ? {} : { groupUuid: group_uuid?.toLowerCase() ?? null }),
      };
      const { position } = await assignConversation(app, assignment, commander(call));
      return detail(conversationUuid, position);
    },

    listConversationSteps: async (call) => {
      const uuid = pathParam(call.params, 'conversation_uuid');
      const conversation = await readDocument(app.readModels, conversations.name, uuid, 'conversation');
      return list(await listSteps(app, queries, conversation, pageOf(call)), (step) => step);
    },

    listConversationMessages: async (call) => {
      const uuid = pathParam(call.params, 'conversation_uuid');
      const { company_uuid } = await readDocument(app.readModels, conversations.name, uuid, 'conversation');
      const order = call.query['order'] === 'recorded' ? 'recorded' : 'newest';
      const page = await listMessages(queries, company_uuid, uuid, pageOf(call), order);
      return list(page, (message) => presentMessage(message, showMedia));
    },

    sendConversationMessage: async (call, body: Answer) => {
      const uuid = pathParam(call.params, 'conversation_uuid');
      const conversation = await readDocument(app.readModels, conversations.name, uuid, 'conversation');
      const { operation, caller, requestId } = call;
      const reply = await acceptReply(app, conversation, {
        actor: caller.actor,
        idempotencyKey: call.headers['idempotency-key'] as string,
        requestId,
        method: operation.method,
        route: operation.path,
        body,
      });
      return acceptedAs(ADMIN_PATH, reply);
    },

    writeNote: async (
      call,
      { text, agent_uuid }: Pick<AssignmentBody, 'agent_uuid'> & { readonly text: string },
    ) => {
      const conversationUuid = pathParam(call.params, 'conversation_uuid');
      const { messageUuid, position } = await writeNote(
        app,
        { conversationUuid, text, agentUuid: agent_uuid?.toLowerCase() ?? null },
        commander(call),
      );
      const { uuid, content, created_at } = await readWritten(app, messages.name, messageUuid, position);
      return created({ uuid, conversation_uuid: conversationUuid, type: 'note', content, created_at });
    },
  };
}
