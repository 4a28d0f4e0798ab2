/** The document of a message after the first event of its stream. */
import type { MessageEvent } from '../../domain/message/events.js';
import { mediaOf } from '../../domain/message/media.js';
import { ANSWERED_AT, orderedAt } from '../../domain/message/order.js';
import type { MessageStatus } from '../../domain/message/status.js';
import type { StoredRecord } from '../../ports/event-store.js';
import type { MessageDoc, MessageMediaDoc } from '../../read-models/messages.js';

/** A file that is still to be fetched; null when the message has no file. */
export const awaitedMedia = (data: {
  readonly type: string;
  readonly content: Readonly<Record<string, unknown>> | null;
}): MessageMediaDoc | null =>
  mediaOf(data.type, data.content) && { status: 'pending', size: null, error: null };

const orderOf = (
  data: { readonly sent_at: string; readonly context: Readonly<Record<string, unknown>> | null },
  recordedAt: string,
): string => orderedAt(recordedAt, data.sent_at, data.context?.[ANSWERED_AT]);

/**
 * The document after the first event of a stream; undefined for every other event. Each object literal begins with a
 * field of its own: adding fields to an object that begins with `...` is a hundred times slower in V8.
 */
export function firstMessageDoc(
  event: MessageEvent,
  uuid: string,
  record: StoredRecord,
): MessageDoc | undefined {
  const at = record.meta.occurred_at;
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
    sent_at: null,
    ordered_at: at,
    position: record.position,
    created_at: at,
    updated_at: at,
  };
  switch (event.type) {
    case 'MessageQueued': {
      const { content, metadata, ...data } = event.data;
      return {
        uuid,
        ...blank,
        ...data,
        ...(metadata ? { metadata } : {}),
        content: content ?? {},
        media: awaitedMedia(event.data),
        direction: 'outbound',
        status: 'queued',
      };
    }
    case 'MessageReceived': {
      const { content, ...data } = event.data;
      return {
        uuid,
        ...blank,
        ...data,
        content: content ?? {},
        media: awaitedMedia(event.data),
        ordered_at: orderOf(event.data, at),
        direction: 'inbound',
        status: 'received',
      };
    }
    case 'MessageEchoed': {
      const { content, ...data } = event.data;
      return {
        uuid,
        ...blank,
        ...data,
        content: content ?? {},
        media: awaitedMedia(event.data),
        ordered_at: orderOf(event.data, at),
        direction: 'outbound',
        status: 'sent',
      };
    }
    case 'MessageImported': {
      const { content, status, ...data } = event.data;
      return {
        uuid,
        ...blank,
        ...data,
        content: content ?? {},
        media: awaitedMedia(event.data),
        ordered_at: orderOf(event.data, at),
        status: status as MessageStatus,
        // The message is older than its import.
        created_at: event.data.sent_at,
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
      const { kind, at: sent_at, ...data } = event.data;
      return {
        uuid,
        ...blank,
        ...data,
        type: 'system_notice',
        content: { kind },
        sent_at,
        ordered_at: orderedAt(at, sent_at),
        direction: 'inbound',
        status: 'received',
      };
    }
    default:
      return undefined;
  }
}
