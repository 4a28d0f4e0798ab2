import type { ChannelUuid, CompanyUuid, ContactUuid, ConversationUuid } from '../kernel/ids.js';
import type { MessageEvent } from './events.js';
import { mediaOf, type MessageMedia } from './media.js';
import { outranks, type MessageStatus } from './status.js';

export interface Message {
  readonly exists: boolean;
  readonly companyUuid: CompanyUuid;
  readonly channelUuid: ChannelUuid;
  readonly conversationUuid: ConversationUuid;
  readonly contactUuid: ContactUuid;
  readonly direction: 'inbound' | 'outbound';
  readonly status: MessageStatus;
  readonly providerMessageId: string | null;
  /** Statuses the provider has reported so far. */
  readonly reported: readonly MessageStatus[];
  /** A report gave the reason of the failure. */
  readonly reasonKnown: boolean;
  /** A recorded report contained the price. */
  readonly priced: boolean;
  /** An imported message whose media has not arrived yet. */
  readonly awaitsMedia: boolean;
  /** Null when the message has no file, and when its content was erased. */
  readonly media: MessageMedia | null;
  readonly transcribed: boolean;
  readonly editedAt: string | null;
  /** Provider ids of the edits so far. */
  readonly edits: readonly string[];
  readonly deleted: boolean;
  /** Edits and deletions that arrived before the message itself, in order of arrival. */
  readonly kept: readonly KeptChange[];
}

export type KeptChange = Extract<MessageEvent, { type: 'MessageEditKept' | 'MessageDeletionKept' }>;

/** Type of an imported message whose media comes with a later webhook. */
export const MEDIA_PLACEHOLDER = 'media_placeholder';

export const initialMessage: Message = {
  exists: false,
  companyUuid: '',
  channelUuid: '',
  conversationUuid: '',
  contactUuid: '',
  direction: 'outbound',
  status: 'queued',
  providerMessageId: null,
  reported: [],
  reasonKnown: false,
  priced: false,
  awaitsMedia: false,
  media: null,
  transcribed: false,
  editedAt: null,
  edits: [],
  deleted: false,
  kept: [],
};

export function evolveMessage(state: Message, event: MessageEvent): Message {
  switch (event.type) {
    case 'MessageQueued':
      return {
        ...state,
        ...placeOf(event.data),
        direction: 'outbound',
        media: mediaOf(event.data.type, event.data.content),
      };
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
        reasonKnown: state.reasonKnown || hasReason(event.data),
        priced: state.priced || event.data.pricing !== null,
      };
    }
    case 'MessageReceived':
      return {
        ...state,
        ...placeOf(event.data),
        direction: 'inbound',
        status: 'received',
        providerMessageId: event.data.provider_message_id,
        media: mediaOf(event.data.type, event.data.content),
      };
    case 'MessageEchoed':
      return {
        ...state,
        ...placeOf(event.data),
        direction: 'outbound',
        status: 'sent',
        providerMessageId: event.data.provider_message_id,
        media: mediaOf(event.data.type, event.data.content),
      };
    case 'MessageImported':
      return {
        ...state,
        ...placeOf(event.data),
        direction: event.data.direction,
        status: event.data.status as MessageStatus,
        providerMessageId: event.data.provider_message_id,
        awaitsMedia: event.data.content?.['kind'] === MEDIA_PLACEHOLDER,
        media: mediaOf(event.data.type, event.data.content),
      };
    case 'MessageMediaImported':
      return { ...state, awaitsMedia: false, media: mediaOf(event.data.type, event.data.content) };
    case 'MessageMediaStored': {
      const { blob, key_id, size, mime_type, sha256 } = event.data;
      const stored = { blob, keyId: key_id, size, mimeType: mime_type, sha256 };
      return { ...state, media: state.media && { ...state.media, status: 'stored', stored } };
    }
    case 'MessageMediaFailed':
      return { ...state, media: state.media && { ...state.media, status: 'failed' } };
    case 'MessageMediaRequested':
      return { ...state, media: state.media && { ...state.media, status: 'pending' } };
    case 'MessageTranscribed':
      return { ...state, transcribed: true };
    case 'MessageEdited':
      return {
        ...state,
        editedAt: event.data.at,
        edits: [...state.edits, event.data.provider_message_id],
      };
    case 'MessageDeleted':
      return { ...state, deleted: true };
    case 'MessageEditKept':
    case 'MessageDeletionKept':
      return { ...state, kept: [...state.kept, event] };
    case 'NoteWritten':
    case 'StoreOrderRecorded':
      return { ...state, ...placeOf(event.data), direction: 'outbound', status: 'note' };
    case 'SystemNoticeRecorded':
      return {
        ...state,
        ...placeOf(event.data),
        direction: 'inbound',
        status: 'received',
        providerMessageId: event.data.provider_message_id,
      };
    default:
      return state;
  }
}

const placeOf = (data: {
  readonly company_uuid: CompanyUuid;
  readonly channel_uuid: ChannelUuid;
  readonly conversation_uuid: ConversationUuid;
  readonly contact_uuid: ContactUuid;
}) => ({
  exists: true,
  kept: [],
  companyUuid: data.company_uuid,
  channelUuid: data.channel_uuid,
  conversationUuid: data.conversation_uuid,
  contactUuid: data.contact_uuid,
});

/** Stored events of any shape must fold. */
const hasReason = (data: { readonly status: string; readonly errors: readonly unknown[] }): boolean =>
  data.status === 'failed' && Array.isArray(data.errors) && data.errors.length > 0;
