/** Message as the contract shows it (spec §2). */
import type { PresentMedia } from '../media/present-media.js';
import type { MessageDoc } from '../../read-models/messages.js';
import { readableCards, readablePricing, readableReferral } from './provider-fields.js';

/** The fields of a `messages` document used here. */
export type MessageSource = Omit<
  MessageDoc,
  'conversation_uuid' | 'contact_uuid' | 'operation_uuid' | 'ordered_at'
>;

export function presentMessage(message: MessageSource, showMedia: PresentMedia) {
  const { uuid, direction, type, status, provider_message_id, error, created_at, updated_at } = message;
  return {
    uuid,
    direction,
    type,
    status,
    content: presentContent(message, showMedia),
    provider_message_id,
    ...(message.metadata ? { metadata: message.metadata } : {}),
    created_at,
    updated_at,
    sent_at: message.sent_at,
    transcript: message.transcript,
    deleted_at: message.deleted_at,
    deleted_by: message.deleted_by,
    edited_at: message.edited_at,
    reply_to: replyTo(message.context),
    forwarded: forwarded(message.context),
    referral: readableReferral(message.referral),
    pricing: readablePricing(message.pricing),
    error: error && {
      code: error.code,
      message: error.message,
      details: error.provider ? { provider: error.provider } : {},
    },
  };
}

function presentContent(message: MessageSource, showMedia: PresentMedia): MessageSource['content'] {
  const { type, content, text } = message;
  if (type === 'template' && text !== null) return { ...content, text };
  if (type === 'contacts') return readableCards(content);
  return { ...content, ...showMedia(message) };
}

/** Null when it is no reply. The uuid is null when the quoted message is not known here. */
function replyTo(context: MessageSource['context']) {
  const id = context?.['id'];
  if (typeof id !== 'string') return null;
  const uuid = context?.['message_uuid'];
  return { message_uuid: typeof uuid === 'string' ? uuid : null, provider_message_id: id };
}

/** `frequently`: WhatsApp reports that it was forwarded more than five times. */
function forwarded(context: MessageSource['context']): 'once' | 'frequently' | null {
  const how = context?.['forwarded'];
  return how === 'frequently_forwarded' ? 'frequently' : how === 'forwarded' ? 'once' : null;
}

export type MessageResource = ReturnType<typeof presentMessage>;
