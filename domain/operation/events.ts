import { Type } from '@sinclair/typebox';
import { defineEvent, freeObject, instant, nullable, personal, uuid, type EventOf } from '../kernel/event.js';

/** An operation error as the API shows it (spec §2, Operation; §7). */
const failure = {
  code: Type.String(),
  message: Type.String(),
  details: freeObject(),
};

export const operationEvents = [
  defineEvent(
    'SendAccepted',
    1,
    'POST /messages was answered 202: the message will be sent or the operation will say why not.',
    {
      company_uuid: uuid(),
      integration_uuid: uuid(),
      channel_uuid: uuid(),
      /** The person the message is for, as a sealing subject; also what pacing counts recipients by. */
      subject: uuid(),
      /** HMAC of method, route and canonical body: tells a retry from another request under the same key. */
      fingerprint: Type.String(),
      phone: personal(Type.String()),
      external_id: personal(nullable(Type.String())),
      message_type: Type.Union([Type.Literal('text'), Type.Literal('template')]),
      content: personal(freeObject()),
      /** What the provider is told: template components with their values. Empty for text. */
      components: personal(Type.Array(freeObject())),
      text: personal(nullable(Type.String())),
      /** null for text */
      template_uuid: nullable(uuid()),
      template_category: nullable(Type.String()),
      /** End of the pacing window (spec §8). */
      deadline: instant(),
    },
  ),
  defineEvent(
    'SendDeferred',
    1,
    'The message waits: its channel or its recipient is being paced, or the provider asked to wait.',
    {
      reason: Type.String(),
      until: instant(),
    },
  ),
  defineEvent(
    'SendAttempted',
    1,
    'The provider is about to be called. Written before the call: after it, never call again without proof.',
    {
      attempt: Type.Integer({ minimum: 1 }),
      channel_uuid: uuid(),
      subject: uuid(),
      /** Pace of the channel in force: milliseconds between two messages. */
      channel_interval_ms: Type.Number({ minimum: 0 }),
      contact_uuid: uuid(),
      conversation_uuid: uuid(),
      message_uuid: uuid(),
    },
  ),
  defineEvent(
    'SendPostponed',
    1,
    'The attempt provably did not reach WhatsApp, or WhatsApp refused it for now. It will be tried again.',
    {
      attempt: Type.Integer({ minimum: 1 }),
      reason: Type.String(),
      provider_code: nullable(Type.Integer()),
      retry_at: instant(),
    },
  ),
  defineEvent(
    'SendOutcomeUnknown',
    1,
    'The call was made and its outcome was lost. Status webhooks will settle it; it is never sent again.',
    {
      attempt: Type.Integer({ minimum: 1 }),
      reason: Type.String(),
      reconcile_until: instant(),
    },
  ),
  defineEvent('SendSucceeded', 1, 'WhatsApp has taken the message.', {
    provider_message_id: Type.String(),
    /** Message status at that moment: `sent`, or `queued` while WhatsApp holds it. */
    status: Type.String(),
    /** `answer` to the call, or a `status` webhook after the answer was lost. */
    evidence: Type.Union([Type.Literal('answer'), Type.Literal('status')]),
  }),
  defineEvent('SendFailed', 1, 'The message will not be sent.', failure),
] as const;

export type OperationEvent = EventOf<typeof operationEvents>;
