import type { MessageEvent } from '../../domain/message/events.js';
import { outranks } from '../../domain/message/status.js';
import { classifyProviderError } from '../../domain/policies/provider-errors.js';
import { messageStream } from '../../domain/streams.js';
import { messages as collection, type MessageDoc } from '../../read-models/messages.js';
import { defineProjection } from '../projection.js';
import { awaitedMedia, firstMessageDoc } from './message-beginning.js';

export const messages = defineProjection<MessageDoc, MessageEvent>({
  collection,
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
  evolve: (doc, { event, record }, uuid) => {
    const at = record.meta.occurred_at;
    const first = firstMessageDoc(event, uuid, record);
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
        // No digest: the file's key was destroyed, so there is nothing left to serve.
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
          // An edit of a caption contains only the caption, not the other media fields.
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
