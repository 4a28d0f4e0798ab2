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

/** An operation error as in the API (spec §2, Operation; §7). */
const failure = {
  code: Type.String(),
  message: Type.String(),
  details: freeObject(),
};

/** Repeated from SendAccepted: the relay sees one record at a time, and the execution waits for this one. */
const executionUuid = nullable(uuid());

export const operationEvents = [
  defineEvent(
    'SendAccepted',
    3,
    'POST /messages was answered 202, or a flow reached a block that sends. The message will be sent, or the operation will report why not.',
    {
      company_uuid: uuid(),
      /** null where no integration requested it: a flow that a trigger started. */
      integration_uuid: nullable(uuid()),
      /** The flow execution that sends the message; null for POST /messages. */
      execution_uuid: nullable(uuid()),
      channel_uuid: uuid(),
      /** The recipient, where already known; null for POST /messages, which finds the contact by the phone. */
      contact_uuid: nullable(uuid()),
      /** The recipient as a sealing subject; pacing also counts recipients by it. */
      subject: uuid(),
      /**
       * Distinguishes a retry from another request with the same id: HMAC of method, route and canonical body, or of
       * the inputs that a flow's operation is derived from.
       */
      fingerprint: Type.String(),
      /** null for a contact who has only a WhatsApp user id */
      phone: personal(nullable(Type.String())),
      external_id: personal(nullable(Type.String())),
      message_type: Type.Union([
        Type.Literal('text'),
        Type.Literal('template'),
        Type.Literal('image'),
        Type.Literal('video'),
        Type.Literal('audio'),
        Type.Literal('document'),
        Type.Literal('interactive'),
      ]),
      content: personal(freeObject()),
      /** The template components with their values, as sent to the provider. Empty for other types. */
      components: personal(Type.Array(freeObject())),
      text: personal(nullable(Type.String())),
      /** The caller's own pairs. Absent without any, and in events of earlier releases. */
      metadata: Type.Optional(personal(metadataSchema())),
      /** null for everything but templates */
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
    'The provider is about to be called. This event is written before the call; after it, the call is never repeated without proof.',
    {
      attempt: Type.Integer({ minimum: 1 }),
      channel_uuid: uuid(),
      subject: uuid(),
      /** The channel's pace at that moment: milliseconds between two messages. */
      channel_interval_ms: Type.Number({ minimum: 0 }),
      contact_uuid: uuid(),
      conversation_uuid: uuid(),
      message_uuid: uuid(),
    },
  ),
  defineEvent(
    'SendPostponed',
    1,
    'The attempt provably did not reach WhatsApp, or WhatsApp refused it for now. It will be retried.',
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
    'The call was made and its outcome was lost. Status webhooks will settle it; the message is never sent again.',
    {
      attempt: Type.Integer({ minimum: 1 }),
      reason: Type.String(),
      reconcile_until: instant(),
    },
  ),
  defineEvent('SendSucceeded', 2, 'WhatsApp has accepted the message.', {
    execution_uuid: executionUuid,
    provider_message_id: Type.String(),
    /** Message status at that moment: `sent`, or `queued` while WhatsApp holds it. */
    status: Type.String(),
    /** The response (`answer`) to the call, or a `status` webhook after the response was lost. */
    evidence: Type.Union([Type.Literal('answer'), Type.Literal('status')]),
  }),
  defineEvent('SendFailed', 2, 'The message will not be sent.', {
    execution_uuid: executionUuid,
    ...failure,
  }),
  defineEvent(
    'SendHeld',
    1,
    'The history was restored after the message was accepted. It may have been sent already, so it waits for an operator.',
    {},
  ),
  defineEvent('SendReleased', 1, 'An operator released a message that a restore had held.', {
    /** End of the new pacing window. */
    deadline: instant(),
  }),
  defineEvent(
    'FlowExecutionAccepted',
    1,
    'POST /flows/{flow_uuid}/executions was answered 202: the execution with the uuid of this operation shows its progress.',
    {
      company_uuid: uuid(),
      integration_uuid: uuid(),
      flow_uuid: uuid(),
      /** The version published at that moment; the execution runs it to its end. */
      flow_version: Type.Integer({ minimum: 1 }),
      channel_uuid: uuid(),
      contact_uuid: uuid(),
      subject: uuid(),
      /** As in SendAccepted. */
      fingerprint: Type.String(),
      external_id: personal(nullable(Type.String())),
      variables: personal(freeObject()),
    },
  ),
] as const;

export type OperationEvent = EventOf<typeof operationEvents>;

/** In version 1, all sends came from POST /messages. */
const withoutExecution = (data: Readonly<Record<string, unknown>>) => ({ ...data, execution_uuid: null });

export const operationUpcasters = {
  'SendAccepted@1': (data: Readonly<Record<string, unknown>>) => ({
    ...data,
    execution_uuid: null,
    contact_uuid: null,
  }),
  // Version 3 adds optional metadata.
  'SendAccepted@2': (data: Readonly<Record<string, unknown>>) => data,
  'SendSucceeded@1': withoutExecution,
  'SendFailed@1': withoutExecution,
};
