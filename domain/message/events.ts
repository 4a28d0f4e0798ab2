import { Type } from '@sinclair/typebox';
import { defineEvent, freeObject, instant, nullable, personal, uuid, type EventOf } from '../kernel/event.js';

const providerError = () =>
  Type.Object({
    code: Type.Integer(),
    title: Type.String(),
    details: nullable(Type.String()),
  });

const place = {
  company_uuid: uuid(),
  channel_uuid: uuid(),
  conversation_uuid: uuid(),
  contact_uuid: uuid(),
  /** text, template, image, … (spec §2, Message) */
  type: Type.String(),
  /** Per-type shape, as the API shows it. */
  content: personal(freeObject()),
};

export const messageEvents = [
  defineEvent(
    'MessageQueued',
    1,
    'An outbound message was put into its conversation, just before it goes to WhatsApp.',
    {
      ...place,
      operation_uuid: uuid(),
      /** The message as the recipient reads it, template variables filled in; null when it has no text. */
      text: personal(nullable(Type.String())),
    },
  ),
  defineEvent('MessageAccepted', 1, 'WhatsApp took the message and gave it an id.', {
    provider_message_id: Type.String(),
    /** True while WhatsApp holds it back for a quality check. */
    held: Type.Boolean(),
  }),
  defineEvent('MessageRefused', 1, 'The message never got to WhatsApp, or WhatsApp refused it on the spot.', {
    code: Type.String(),
    message: Type.String(),
    provider_error: nullable(providerError()),
  }),
  defineEvent(
    'MessageStatusReported',
    1,
    'WhatsApp reported a delivery status that says more than the ones before.',
    {
      status: Type.Union([
        Type.Literal('sent'),
        Type.Literal('delivered'),
        Type.Literal('read'),
        Type.Literal('failed'),
      ]),
      /** By the provider's clock. */
      at: instant(),
      provider_message_id: Type.String(),
      errors: Type.Array(providerError()),
      /** Billing facts as the provider sent them. */
      pricing: nullable(freeObject()),
    },
  ),
  defineEvent('MessageReceived', 1, 'The customer sent a message.', {
    ...place,
    provider_message_id: Type.String(),
    /** By the provider's clock. */
    sent_at: instant(),
    /** The message it replies to, as the provider names it. */
    context: nullable(freeObject()),
    /** The ad that brought the customer here, as the provider describes it. */
    referral: personal(nullable(freeObject())),
  }),
] as const;

export type MessageEvent = EventOf<typeof messageEvents>;
