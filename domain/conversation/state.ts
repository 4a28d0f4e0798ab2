import type { ConversationEvent } from './events.js';

export interface Conversation {
  readonly exists: boolean;
  readonly companyUuid: string;
  readonly channelUuid: string;
  readonly contactUuid: string;
  readonly ordinal: number;
  readonly status: 'open' | 'pending' | 'resolved';
  readonly resolvedAt: string | null;
  readonly agentUuid: string | null;
  readonly groupUuid: string | null;
  /** When the customer last wrote, to the minute; opens WhatsApp's customer service window. */
  readonly lastInboundAt: string | null;
}

export const initialConversation: Conversation = {
  exists: false,
  companyUuid: '',
  channelUuid: '',
  contactUuid: '',
  ordinal: 0,
  status: 'open',
  resolvedAt: null,
  agentUuid: null,
  groupUuid: null,
  lastInboundAt: null,
};

export function evolveConversation(state: Conversation, event: ConversationEvent): Conversation {
  switch (event.type) {
    case 'ConversationOpened':
      return {
        exists: true,
        companyUuid: event.data.company_uuid,
        channelUuid: event.data.channel_uuid,
        contactUuid: event.data.contact_uuid,
        ordinal: event.data.ordinal,
        status: 'open',
        resolvedAt: null,
        agentUuid: null,
        groupUuid: null,
        lastInboundAt: null,
      };
    case 'ConversationResolved':
      return { ...state, status: 'resolved', resolvedAt: event.data.at };
    case 'ConversationReopened':
      return { ...state, status: 'open', resolvedAt: null };
    case 'ConversationMarkedPending':
      return { ...state, status: 'pending', resolvedAt: null };
    case 'ConversationAssigned':
      return { ...state, agentUuid: event.data.agent_uuid, groupUuid: event.data.group_uuid };
    case 'CustomerWrote':
      return { ...state, lastInboundAt: event.data.at };
    default:
      return state;
  }
}
