import type { MessageEvent } from '../../domain/message/events.js';
import { mediaOf } from '../../domain/message/media.js';
import { outranks, type MessageStatus } from '../../domain/message/status.js';
import { messageStream } from '../../domain/message/stream.js';
import { classifyProviderError } from '../../domain/policies/provider-errors.js';
import { defineProjection } from '../projection.js';

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
  readonly created_at: string;
  readonly updated_at: string;
};

export const messages = defineProjection<MessageDoc, MessageEvent>({
  name: 'messages',
  version: 5,
  indexes: {
    by_conversation: ['conversation_uuid', 'created_at'],
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
    const first = begin(event, messageStream.match(record.stream)!, at);
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
          media: awaited(event.data),
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

/** A file that is still to be fetched; null when the message is about none. */
const awaited = (data: {
  readonly type: string;
  readonly content: Readonly<Record<string, unknown>> | null;
}): MessageMediaDoc | null =>
  mediaOf(data.type, data.content) && { status: 'pending', size: null, error: null };

/**
 * The document as the first event of a stream makes it; undefined for every other event. Each begins with a field of its
 * own: V8 adds to an object that begins with `...` at a hundred times the price.
 */
function begin(event: MessageEvent, uuid: string, at: string): MessageDoc | undefined {
  const blank = {
    operation_uuid: null,
    text: null,
    provider_message_id: null,
    context: null,
    referral: null,
    pricing: null,
    error: null,
    media: null,
    transcript: null,
    edited_at: null,
    deleted_at: null,
    deleted_by: null,
    created_at: at,
    updated_at: at,
  };
  switch (event.type) {
    case 'MessageQueued': {
      const { content, ...data } = event.data;
      return { uuid, ...blank, ...data, content: content ?? {}, direction: 'outbound', status: 'queued' };
    }
    case 'MessageReceived': {
      const { content, sent_at: _sentAt, ...data } = event.data;
      return {
        uuid,
        ...blank,
        ...data,
        content: content ?? {},
        media: awaited(event.data),
        direction: 'inbound',
        status: 'received',
      };
    }
    case 'MessageEchoed': {
      const { content, sent_at: _sentAt, ...data } = event.data;
      return {
        uuid,
        ...blank,
        ...data,
        content: content ?? {},
        media: awaited(event.data),
        direction: 'outbound',
        status: 'sent',
      };
    }
    case 'MessageImported': {
      const { content, sent_at, status, ...data } = event.data;
      return {
        uuid,
        ...blank,
        ...data,
        content: content ?? {},
        media: awaited(event.data),
        status: status as MessageStatus,
        // Its place among the other messages is when it was said, not when it was brought here.
        created_at: sent_at,
      };
    }
    case 'NoteWritten': {
      const { content, ...data } = event.data;
      return {
        uuid,
        ...blank,
        ...data,
        type: 'note',
        content: content ?? {},
        direction: 'outbound',
        status: 'note',
      };
    }
    case 'StoreOrderRecorded': {
      const { content, order_uuid, ...data } = event.data;
      return {
        uuid,
        ...blank,
        ...data,
        type: 'store_order',
        content: content === null ? {} : { order_uuid, ...content },
        direction: 'outbound',
        status: 'note',
      };
    }
    case 'SystemNoticeRecorded': {
      const { kind, at: _at, ...data } = event.data;
      return {
        uuid,
        ...blank,
        ...data,
        type: 'system_notice',
        content: { kind },
        direction: 'inbound',
        status: 'received',
      };
    }
    default:
      return undefined;
  }
}
