import type { MessageEvent } from '../../domain/message/events.js';
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
  /** Why it failed. Stays once known, also when the message was delivered after all. */
  readonly error: MessageError | null;
  readonly created_at: string;
  readonly updated_at: string;
};

export const messages = defineProjection<MessageDoc, MessageEvent>({
  name: 'messages',
  version: 2,
  indexes: {
    by_conversation: ['conversation_uuid', 'created_at'],
    by_provider_id: ['channel_uuid', 'provider_message_id'],
    by_contact: ['contact_uuid', 'created_at'],
  },
  handles: ['MessageQueued', 'MessageAccepted', 'MessageRefused', 'MessageStatusReported', 'MessageReceived'],
  documentId: ({ record }) => messageStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }) => {
    const at = record.meta.occurred_at;
    if (event.type === 'MessageQueued' || event.type === 'MessageReceived') {
      const { company_uuid, channel_uuid, conversation_uuid, contact_uuid, type, content } = event.data;
      const outbound = event.type === 'MessageQueued';
      return {
        uuid: messageStream.match(record.stream)!,
        company_uuid,
        channel_uuid,
        conversation_uuid,
        contact_uuid,
        operation_uuid: outbound ? event.data.operation_uuid : null,
        direction: outbound ? 'outbound' : 'inbound',
        type,
        status: outbound ? 'queued' : 'received',
        content: content ?? {},
        text: outbound ? event.data.text : null,
        provider_message_id: outbound ? null : event.data.provider_message_id,
        error: null,
        created_at: at,
        updated_at: at,
      };
    }
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
        const { status, errors, provider_message_id } = event.data;
        const [reason] = errors;
        return {
          ...doc,
          provider_message_id,
          status: outranks(status, doc.status) ? status : doc.status,
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
      default:
        return doc;
    }
  },
});
