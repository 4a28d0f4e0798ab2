import type { ChannelUuid, CompanyUuid, ContactUuid } from '../kernel/ids.js';
import type { ConversationEvent } from './events.js';

export interface Conversation {
  readonly exists: boolean;
  readonly companyUuid: CompanyUuid;
  readonly channelUuid: ChannelUuid;
  readonly contactUuid: ContactUuid;
  readonly ordinal: number;
  /** The customer wrote the first message. */
  readonly openedByInbound: boolean;
  readonly status: 'open' | 'pending' | 'resolved';
  readonly resolvedAt: string | null;
  readonly agentUuid: string | null;
  readonly groupUuid: string | null;
  /** When the customer last wrote, to the minute; it opens WhatsApp's customer service window. */
  readonly lastInboundAt: string | null;
  /** The flow execution in charge. */
  readonly execution: string | null;
  /** Executions that wait for the one in charge to end, in order. */
  readonly queue: readonly string[];
  /** People handle the conversation: no customer message starts a flow. */
  readonly withPeople: boolean;
}

export const initialConversation: Conversation = {
  exists: false,
  companyUuid: '',
  channelUuid: '',
  contactUuid: '',
  ordinal: 0,
  openedByInbound: false,
  status: 'open',
  resolvedAt: null,
  agentUuid: null,
  groupUuid: null,
  lastInboundAt: null,
  execution: null,
  queue: [],
  withPeople: false,
};

export function evolveConversation(state: Conversation, event: ConversationEvent): Conversation {
  switch (event.type) {
    case 'ConversationOpened':
      return {
        ...initialConversation,
        exists: true,
        companyUuid: event.data.company_uuid,
        channelUuid: event.data.channel_uuid,
        contactUuid: event.data.contact_uuid,
        ordinal: event.data.ordinal,
        openedByInbound: event.data.opened_by === 'inbound',
      };
    case 'ConversationResolved':
      return { ...state, status: 'resolved', resolvedAt: event.data.at, withPeople: false };
    case 'ConversationReopened':
      return { ...state, status: 'open', resolvedAt: null };
    case 'ConversationMarkedPending':
      return { ...state, status: 'pending', resolvedAt: null };
    case 'ConversationAssigned':
      return { ...state, agentUuid: event.data.agent_uuid, groupUuid: event.data.group_uuid };
    case 'CustomerWrote':
      return { ...state, lastInboundAt: event.data.at };
    case 'ConversationTakenByFlow': {
      const { execution_uuid: execution } = event.data;
      return {
        ...state,
        status: 'pending',
        resolvedAt: null,
        execution,
        queue: without(state.queue, execution),
        withPeople: false,
      };
    }
    case 'ConversationFlowQueued':
      return { ...state, queue: [...state.queue, event.data.execution_uuid] };
    case 'ConversationLeftByFlow': {
      const { execution_uuid: left } = event.data;
      return {
        ...state,
        execution: state.execution === left ? null : state.execution,
        queue: without(state.queue, left),
      };
    }
    case 'ConversationHandedOff':
      return { ...state, status: 'open', resolvedAt: null, execution: null, withPeople: true };
    default:
      return state;
  }
}

const without = (queue: readonly string[], execution: string): readonly string[] =>
  queue.filter((one) => one !== execution);
