import { Type } from '@sinclair/typebox';
import {
  defineEvent,
  freeObject,
  instant,
  metadataSchema,
  nullable,
  personal,
  uuid,
  type EventOf,
} from '../kernel/event.js';
import type { Upcaster } from '../kernel/schema-registry.js';

const providerError = () =>
  Type.Object({
    code: Type.Integer(),
    title: Type.String(),
    details: nullable(Type.String()),
  });

const changedBy = () => Type.Union([Type.Literal('contact'), Type.Literal('business_app')]);

const place = {
  company_uuid: uuid(),
  channel_uuid: uuid(),
  conversation_uuid: uuid(),
  contact_uuid: uuid(),
  /** text, template, image, … (spec §2, Message) */
  type: Type.String(),
  /** The shape depends on `type`, as in the API. */
  content: personal(freeObject()),
};

export const messageEvents = [
  defineEvent(
    'MessageQueued',
    2,
    'An outbound message was added to its conversation, just before it goes to WhatsApp.',
    {
      ...place,
      operation_uuid: uuid(),
      /** The message as the recipient reads it, with template variables filled in; null when it has no text. */
      text: personal(nullable(Type.String())),
      /** As in SendAccepted. */
      metadata: Type.Optional(personal(metadataSchema())),
    },
  ),
  defineEvent('MessageAccepted', 1, 'WhatsApp accepted the message and gave it an id.', {
    provider_message_id: Type.String(),
    /** True while WhatsApp holds the message back for a quality check. */
    held: Type.Boolean(),
  }),
  defineEvent('MessageRefused', 1, 'The message never reached WhatsApp, or WhatsApp refused it at once.', {
    code: Type.String(),
    message: Type.String(),
    provider_error: nullable(providerError()),
  }),
  defineEvent(
    'MessageStatusReported',
    1,
    'WhatsApp reported a delivery status that says more than the previous ones.',
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
      /** Billing data as the provider sent it. */
      pricing: nullable(freeObject()),
    },
  ),
  defineEvent('MessageReceived', 1, 'The customer sent a message.', {
    ...place,
    provider_message_id: Type.String(),
    /** By the provider's clock. */
    sent_at: instant(),
    /** The message it replies to, by the provider's ids. */
    context: nullable(freeObject()),
    /** The ad that brought the customer here, as the provider describes it. */
    referral: personal(nullable(freeObject())),
  }),
  defineEvent(
    'MessageEchoed',
    1,
    'Somebody of the business wrote to the customer in the WhatsApp Business app, on a number shared with it.',
    {
      ...place,
      provider_message_id: Type.String(),
      /** By the provider's clock. */
      sent_at: instant(),
      /** The message it replies to, by the provider's ids. */
      context: nullable(freeObject()),
    },
  ),
  defineEvent(
    'MessageImported',
    1,
    "A message from the WhatsApp Business app's own history, written before the number was connected.",
    {
      ...place,
      direction: Type.Union([Type.Literal('inbound'), Type.Literal('outbound')]),
      /** Delivery status in the app: `received`, `queued`, `sent`, `delivered`, `read`, `failed`. */
      status: Type.String(),
      provider_message_id: Type.String(),
      /** By the provider's clock. */
      sent_at: instant(),
      context: nullable(freeObject()),
    },
  ),
  defineEvent(
    'MessageMediaImported',
    1,
    'The media of an imported message arrived, after its place in the history.',
    {
      type: Type.String(),
      content: personal(freeObject()),
    },
  ),
  defineEvent('MessageEdited', 1, 'The text or caption of the message was changed by its author.', {
    by: changedBy(),
    /** By the provider's clock. */
    at: instant(),
    /** The provider's id of the edit itself. */
    provider_message_id: Type.String(),
    /** The new content, in the shape of the message's type. A media message keeps fields that are left out. */
    content: personal(freeObject()),
  }),
  defineEvent(
    'MessageEditKept',
    1,
    'An edit arrived before the message that it changes. It is applied when the message arrives.',
    {
      by: changedBy(),
      /** By the provider's clock. */
      at: instant(),
      /** The provider's id of the edit itself. */
      provider_message_id: Type.String(),
      /** As in MessageEdited. */
      content: personal(freeObject()),
    },
  ),
  defineEvent(
    'MessageDeletionKept',
    1,
    'A deletion arrived before the message that it deletes. It is applied when the message arrives.',
    {
      by: changedBy(),
      /** By the provider's clock. */
      at: instant(),
      /** The provider's id of the deletion itself. */
      provider_message_id: Type.String(),
    },
  ),
  defineEvent('MessageDeleted', 1, 'The message was deleted for everyone.', {
    by: changedBy(),
    /** By the provider's clock. */
    at: instant(),
    /** The provider's id of the deletion itself. */
    provider_message_id: Type.String(),
  }),
  defineEvent(
    'MessageMediaStored',
    1,
    'The file of the message was fetched from WhatsApp and is stored here.',
    {
      /** The provider's id of the file. */
      media_id: Type.String(),
      /** image, video, audio, document, sticker */
      kind: Type.String(),
      /** Name of the blob: SHA-256 of the stored bytes, which are sealed under a key of the person. */
      blob: Type.String(),
      /** Generation of the person's key that seals the bytes. */
      key_id: Type.String(),
      /** Size of the file itself, in bytes. */
      size: Type.Integer(),
      /** The type under which the file is served. */
      mime_type: Type.String(),
      /** SHA-256 of the file itself, lower-case hex. Needed to open the sealed bytes. */
      sha256: personal(Type.String()),
    },
  ),
  defineEvent('MessageMediaFailed', 1, 'The file of the message could not be fetched from WhatsApp.', {
    media_id: Type.String(),
    /** media_expired, media_too_large, media_corrupt, … */
    code: Type.String(),
    message: Type.String(),
  }),
  defineEvent('MessageMediaRequested', 1, 'Somebody requested a file again that could not be fetched.', {
    media_id: Type.String(),
  }),
  defineEvent('MessageTranscribed', 1, 'The audio of the message was transcribed.', {
    media_id: Type.String(),
    transcript: personal(Type.String()),
    /** The model that made the transcript, as configured. */
    model: Type.String(),
  }),
  defineEvent(
    'NoteWritten',
    1,
    'Somebody of the team left a note in the conversation. The customer never sees it (spec §2, Message).',
    {
      company_uuid: uuid(),
      channel_uuid: uuid(),
      conversation_uuid: uuid(),
      contact_uuid: uuid(),
      content: personal(freeObject()),
    },
  ),
  defineEvent(
    'SystemNoticeRecorded',
    2,
    'A notice from neither party was added to the conversation, such as an edit whose text was withheld.',
    {
      company_uuid: uuid(),
      channel_uuid: uuid(),
      conversation_uuid: uuid(),
      contact_uuid: uuid(),
      kind: Type.String(),
      /** The provider's id of the notice; null when the notice is about the message that has that id. */
      provider_message_id: nullable(Type.String()),
      /** By the provider's clock. */
      at: instant(),
    },
  ),
  defineEvent(
    'StoreOrderRecorded',
    1,
    'An order of the store was added to the messages of its conversation. It is never sent (spec §2, Message).',
    {
      company_uuid: uuid(),
      channel_uuid: uuid(),
      conversation_uuid: uuid(),
      contact_uuid: uuid(),
      order_uuid: uuid(),
      /** Fields that the API adds to the message: number, total and items. */
      content: personal(freeObject()),
    },
  ),
] as const;

export type MessageEvent = EventOf<typeof messageEvents>;

/** `Type@version` → data of the next version. */
export const messageUpcasters: Readonly<Record<string, Upcaster>> = {
  // Version 2 adds optional metadata.
  'MessageQueued@1': (data) => data,
  // In version 1, a notice about a cart had the id of the cart's own message.
  'SystemNoticeRecorded@1': (data) =>
    String(data['kind']).startsWith('cart_') ? { ...data, provider_message_id: null } : data,
};
