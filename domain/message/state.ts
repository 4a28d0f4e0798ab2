import type { MessageEvent } from './events.js';
import { outranks, type MessageStatus } from './status.js';

export interface Message {
  readonly exists: boolean;
  readonly companyUuid: string;
  readonly direction: 'inbound' | 'outbound';
  readonly status: MessageStatus;
  readonly providerMessageId: string | null;
  /** Statuses the provider has reported so far. */
  readonly reported: readonly MessageStatus[];
}

export const initialMessage: Message = {
  exists: false,
  companyUuid: '',
  direction: 'outbound',
  status: 'queued',
  providerMessageId: null,
  reported: [],
};

export function evolveMessage(state: Message, event: MessageEvent): Message {
  switch (event.type) {
    case 'MessageQueued':
      return { ...state, exists: true, companyUuid: event.data.company_uuid, direction: 'outbound' };
    case 'MessageAccepted':
      return {
        ...state,
        providerMessageId: event.data.provider_message_id,
        status: !event.data.held && outranks('sent', state.status) ? 'sent' : state.status,
      };
    case 'MessageRefused':
      return { ...state, status: outranks('failed', state.status) ? 'failed' : state.status };
    case 'MessageStatusReported': {
      const { status, provider_message_id } = event.data;
      return {
        ...state,
        providerMessageId: provider_message_id,
        status: outranks(status, state.status) ? status : state.status,
        reported: [...state.reported, status],
      };
    }
    case 'MessageReceived':
      return {
        ...state,
        exists: true,
        companyUuid: event.data.company_uuid,
        direction: 'inbound',
        status: 'received',
        providerMessageId: event.data.provider_message_id,
      };
    default:
      return state;
  }
}
