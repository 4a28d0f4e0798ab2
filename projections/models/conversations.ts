import type { ConversationEvent } from '../../domain/conversation/events.js';
import { conversationStream } from '../../domain/conversation/stream.js';
import type { MessageEvent } from '../../domain/message/events.js';
import { defineProjection } from '../projection.js';

export type ConversationDoc = {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly channel_uuid: string;
  readonly contact_uuid: string;
  readonly ordinal: number;
  readonly status: 'open' | 'pending' | 'resolved';
  readonly unread_count: number;
  readonly counters: {
    readonly messages: number;
    readonly inbound: number;
    readonly outbound: number;
    readonly notes: number;
  };
  /** When the newest message was queued or received; the opening time before the first one. Sorts the list. */
  readonly last_activity_at: string;
  readonly last_message_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

type Handled = ConversationEvent | Extract<MessageEvent, { type: 'MessageQueued' | 'MessageReceived' }>;

export const conversations = defineProjection<ConversationDoc, Handled>({
  name: 'conversations',
  version: 1,
  indexes: {
    by_company: ['company_uuid', 'last_activity_at'],
    by_status: ['company_uuid', 'status', 'last_activity_at'],
    by_contact_channel: ['contact_uuid', 'channel_uuid', 'ordinal'],
  },
  handles: [
    'ConversationOpened',
    'ConversationResolved',
    'ConversationReopened',
    'ConversationRead',
    'MessageQueued',
    'MessageReceived',
  ],
  documentId: ({ event, record }) =>
    event.type === 'MessageQueued' || event.type === 'MessageReceived'
      ? event.data.conversation_uuid
      : (conversationStream.match(record.stream) ?? null),
  evolve: (doc, { event, record }) => {
    const at = record.meta.occurred_at;
    if (event.type === 'ConversationOpened') {
      return {
        uuid: conversationStream.match(record.stream)!,
        company_uuid: event.data.company_uuid,
        channel_uuid: event.data.channel_uuid,
        contact_uuid: event.data.contact_uuid,
        ordinal: event.data.ordinal,
        status: 'open',
        unread_count: 0,
        counters: { messages: 0, inbound: 0, outbound: 0, notes: 0 },
        last_activity_at: at,
        last_message_at: null,
        created_at: at,
        updated_at: at,
      };
    }
    if (!doc) return null;
    const { counters } = doc;
    switch (event.type) {
      case 'ConversationResolved':
        return { ...doc, status: 'resolved', updated_at: at };
      case 'ConversationReopened':
        return { ...doc, status: 'open', updated_at: at };
      case 'ConversationRead':
        return { ...doc, unread_count: 0, updated_at: at };
      case 'MessageQueued':
        return {
          ...doc,
          counters: { ...counters, messages: counters.messages + 1, outbound: counters.outbound + 1 },
          last_activity_at: at,
          last_message_at: at,
          updated_at: at,
        };
      case 'MessageReceived':
        return {
          ...doc,
          unread_count: doc.unread_count + 1,
          counters: { ...counters, messages: counters.messages + 1, inbound: counters.inbound + 1 },
          last_activity_at: at,
          last_message_at: at,
          updated_at: at,
        };
      default:
        return doc;
    }
  },
});
