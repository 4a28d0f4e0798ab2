import type { MessageEvent } from '../../domain/message/events.js';
import { outranks, type MessageStatus } from '../../domain/message/status.js';
import { messageStream } from '../../domain/message/stream.js';
import { classifyProviderError } from '../../domain/policies/provider-errors.js';
import { defineProjection } from '../projection.js';
import { awaitedMedia, firstMessageDoc } from './message-beginning.js';

export type MessageError = {
  readonly code: string;
  readonly message: string;
  readonly provider: {
    readonly code: number;
    readonly title: string;
    readonly details: string | null;
  } | null;
};

/** The file that the message is about. */
export type MessageMediaDoc = {
  readonly status: 'pending' | 'stored' | 'failed';
  /** Bytes; null until it is stored. */
  readonly size: number | null;
  /** Why it could not be had. */
  readonly error: { readonly code: string; readonly message: string } | null;
};

export type MessageDoc = {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly channel_uuid: string;
  readonly conversation_uuid: string;
  readonly contact_uuid: string;
  readonly operation_uuid: string | null;
  readonly direction: 'inbound' | 'outbound';
  readonly type: string;
  readonly status: MessageStatus;
  readonly content: Readonly<Record<string, unknown>>;
  readonly text: string | null;
  readonly provider_message_id: string | null;
  /** The message it answers and whether it was forwarded, as recorded. */
  readonly context: Readonly<Record<string, unknown>> | null;
  /** The ad that brought the customer here. */
  readonly referral: Readonly<Record<string, unknown>> | null;
  /** What it costs, as the provider put it. */
  readonly pricing: Readonly<Record<string, unknown>> | null;
  /** Why it failed. Stays once known, also when the message was delivered after all. */
  readonly error: MessageError | null;
  /** Null when it is about no file, and when it was erased or deleted. */
  readonly media: MessageMediaDoc | null;
  /** What is said in the audio. */
  readonly transcript: string | null;
  readonly edited_at: string | null;
  readonly deleted_at: string | null;
  readonly deleted_by: 'contact' | 'business_app' | null;
  /** By WhatsApp's clock, whole seconds; null for what WhatsApp did not bring here. */
  readonly sent_at: string | null;
  /** Sorts the messages of a conversation, then `position`. */
  readonly ordered_at: string;
  /** Of the event that made the message: messages of the same millisecond stand as they were recorded. */
  readonly position: string;
  readonly created_at: string;
  readonly updated_at: string;
};

export const messages = defineProjection<MessageDoc, MessageEvent>({
  name: 'messages',
  version: 6,
  indexes: {
    by_conversation: ['conversation_uuid', 'ordered_at', 'position'],
    by_recording: ['conversation_uuid', 'position'],
    by_provider_id: ['channel_uuid', 'provider_message_id'],
    by_contact: ['contact_uuid', 'created_at'],
  },
  handles: [
    'MessageQueued',
    'MessageAccepted',
    'MessageRefused',
    'MessageStatusReported',
    'MessageReceived',
    'MessageEchoed',
    'MessageImported',
    'MessageMediaImported',
    'MessageMediaStored',
    'MessageMediaFailed',
    'MessageMediaRequested',
    'MessageTranscribed',
    'MessageEdited',
    'MessageDeleted',
    'NoteWritten',
    'SystemNoticeRecorded',
    'StoreOrderRecorded',
  ],
  documentId: ({ record }) => messageStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }) => {
    const at = record.meta.occurred_at;
    const first = firstMessageDoc(event, messageStream.match(record.stream)!, record);
    if (first) return first;
    if (!doc) return null;
    switch (event.type) {
      case 'MessageAccepted':
        return {
          ...doc,
          provider_message_id: event.data.provider_message_id,
          status: !event.data.held && outranks('sent', doc.status) ? 'sent' : doc.status,
          updated_at: at,
        };
      case 'MessageRefused': {
        const { code, message, provider_error } = event.data;
        return {
          ...doc,
          status: outranks('failed', doc.status) ? 'failed' : doc.status,
          error: doc.error ?? { code, message, provider: provider_error },
          updated_at: at,
        };
      }
      case 'MessageStatusReported': {
        const { status, errors, provider_message_id, pricing } = event.data;
        const [reason] = errors;
        return {
          ...doc,
          provider_message_id,
          status: outranks(status, doc.status) ? status : doc.status,
          pricing: doc.pricing ?? pricing,
          error:
            doc.error ??
            (reason
              ? {
                  code: classifyProviderError(reason.code).operationCode,
                  message: reason.title,
                  provider: reason,
                }
              : null),
          updated_at: at,
        };
      }
      case 'MessageMediaImported':
        return {
          ...doc,
          type: event.data.type,
          content: event.data.content ?? {},
          media: awaitedMedia(event.data),
          updated_at: at,
        };
      case 'MessageMediaStored':
        // Without the key there is nothing to serve any more.
        if (!doc.media || event.data.sha256 === null) return { ...doc, media: null, updated_at: at };
        return { ...doc, media: { status: 'stored', size: event.data.size, error: null }, updated_at: at };
      case 'MessageMediaFailed': {
        const { code, message } = event.data;
        if (!doc.media) return doc;
        return { ...doc, media: { status: 'failed', size: null, error: { code, message } }, updated_at: at };
      }
      case 'MessageMediaRequested':
        if (!doc.media) return doc;
        return { ...doc, media: { status: 'pending', size: null, error: null }, updated_at: at };
      case 'MessageTranscribed':
        return { ...doc, transcript: event.data.transcript, updated_at: at };
      case 'MessageEdited':
        return {
          ...doc,
          // An edited caption comes without what else is known of the media.
          content: { ...doc.content, ...event.data.content },
          edited_at: event.data.at,
          updated_at: at,
        };
      case 'MessageDeleted':
        return {
          ...doc,
          content: { deleted: true },
          text: null,
          media: null,
          transcript: null,
          deleted_at: event.data.at,
          deleted_by: event.data.by,
          updated_at: at,
        };
      default:
        return doc;
    }
  },
});
