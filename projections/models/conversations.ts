import type { ConversationEvent } from '../../domain/conversation/events.js';
import type { MessageEvent } from '../../domain/message/events.js';
import { conversationStream } from '../../domain/streams.js';
import { conversations as collection, type ConversationDoc } from '../../read-models/conversations.js';
import { defineProjection } from '../projection.js';
import { later, soonest } from './instants.js';

const FROM_MESSAGES = [
  'MessageQueued',
  'MessageReceived',
  'MessageEchoed',
  'MessageImported',
  'NoteWritten',
  'SystemNoticeRecorded',
  'StoreOrderRecorded',
] as const;
type FromMessage = Extract<MessageEvent, { type: (typeof FROM_MESSAGES)[number] }>;
type Handled = ConversationEvent | FromMessage;

const fromMessages: ReadonlySet<string> = new Set(FROM_MESSAGES);
const isFromMessage = (event: Handled): event is FromMessage => fromMessages.has(event.type);

export const conversations = defineProjection<ConversationDoc, Handled>({
  collection,
  handles: [
    'ConversationOpened',
    'ConversationResolved',
    'ConversationReopened',
    'ConversationRead',
    'ConversationMarkedPending',
    'ConversationAssigned',
    'ConversationTakenByFlow',
    'ConversationLeftByFlow',
    'ConversationHandedOff',
    ...FROM_MESSAGES,
  ],
  documentId: ({ event, record }) =>
    isFromMessage(event) ? event.data.conversation_uuid : (conversationStream.match(record.stream) ?? null),
  evolve: (doc, { event, record }, uuid) => {
    const at = record.meta.occurred_at;
    if (event.type === 'ConversationOpened') {
      return {
        uuid,
        company_uuid: event.data.company_uuid,
        channel_uuid: event.data.channel_uuid,
        contact_uuid: event.data.contact_uuid,
        ordinal: event.data.ordinal,
        status: 'open',
        execution_uuid: null,
        assigned_agent_uuid: null,
        assigned_group_uuid: null,
        unread_count: 0,
        unread: 'none',
        counters: { messages: 0, inbound: 0, outbound: 0, notes: 0 },
        last_activity_at: at,
        last_message_at: null,
        last_inbound_at: null,
        created_at: at,
        updated_at: at,
      };
    }
    if (!doc) return null;
    switch (event.type) {
      case 'ConversationResolved':
        return { ...doc, status: 'resolved', updated_at: at };
      case 'ConversationReopened':
        return { ...doc, status: 'open', updated_at: at };
      case 'ConversationHandedOff':
        return { ...doc, status: 'open', execution_uuid: null, updated_at: at };
      case 'ConversationMarkedPending':
        return { ...doc, status: 'pending', updated_at: at };
      case 'ConversationTakenByFlow':
        return { ...doc, status: 'pending', execution_uuid: event.data.execution_uuid, updated_at: at };
      case 'ConversationLeftByFlow':
        // It may have waited in the queue only.
        return event.data.execution_uuid === doc.execution_uuid ? { ...doc, execution_uuid: null } : doc;
      case 'ConversationAssigned':
        return {
          ...doc,
          assigned_agent_uuid: event.data.agent_uuid,
          assigned_group_uuid: event.data.group_uuid,
          updated_at: at,
        };
      case 'ConversationRead':
        return { ...doc, unread_count: 0, unread: 'none', updated_at: at };
      case 'MessageQueued':
      case 'MessageEchoed':
        return { ...doc, ...counted(doc, 'outbound'), ...active(doc, at), updated_at: at };
      case 'MessageReceived': {
        // As in WhatsApp itself, a reaction does not count as an unread message.
        const reaction = event.data.type === 'reaction';
        return {
          ...doc,
          ...counted(doc, 'inbound'),
          ...active(doc, at),
          unread_count: doc.unread_count + (reaction ? 0 : 1),
          unread: reaction ? doc.unread : 'some',
          last_inbound_at: reaction
            ? doc.last_inbound_at
            : later(doc.last_inbound_at, soonest(event.data.sent_at, at)),
          updated_at: at,
        };
      }
      case 'MessageImported':
        return { ...doc, ...counted(doc, event.data.direction), ...active(doc, event.data.sent_at) };
      case 'NoteWritten': {
        // Internal to the team: a note is not activity of the conversation and is never unread.
        const { messages, notes } = doc.counters;
        return {
          ...doc,
          counters: { ...doc.counters, messages: messages + 1, notes: notes + 1 },
          updated_at: at,
        };
      }
      case 'StoreOrderRecorded':
        // The customer bought something: this counts as activity, so that the team sees it although nobody wrote.
        return { ...doc, ...counted(doc, null), ...active(doc, at), updated_at: at };
      case 'SystemNoticeRecorded':
        // From neither party: it does not count as activity.
        return { ...doc, ...counted(doc, null), updated_at: at };
      default:
        return doc;
    }
  },
});

type Activity = Pick<ConversationDoc, 'last_message_at' | 'last_activity_at'>;

/** Imports arrive out of order and beside live messages: an older message must not replace the last one. */
function active(doc: ConversationDoc, at: string): Activity {
  const last = later(doc.last_message_at, at);
  return { last_message_at: last, last_activity_at: last };
}

function counted(
  { counters }: ConversationDoc,
  direction: 'inbound' | 'outbound' | null,
): Pick<ConversationDoc, 'counters'> {
  const messages = counters.messages + 1;
  if (direction === null) return { counters: { ...counters, messages } };
  return { counters: { ...counters, messages, [direction]: counters[direction] + 1 } };
}
