import { Type } from '@sinclair/typebox';
import { defineEvent, instant, nullable, uuid, type EventOf } from '../kernel/event.js';

export const conversationEvents = [
  defineEvent(
    'ConversationOpened',
    2,
    'First message between a contact and a channel, or first after the last conversation was closed for good.',
    {
      company_uuid: uuid(),
      channel_uuid: uuid(),
      contact_uuid: uuid(),
      /** Counts the conversations of this contact on this channel, from 0. */
      ordinal: Type.Integer({ minimum: 0 }),
      /** `history`: opened by a message from the WhatsApp Business app, sent before the number was connected. */
      opened_by: Type.Union([Type.Literal('inbound'), Type.Literal('outbound'), Type.Literal('history')]),
    },
  ),
  defineEvent('ConversationResolved', 1, 'Somebody marked the conversation as done.', { at: instant() }),
  defineEvent('ConversationReopened', 1, 'A resolved conversation is open again.', {
    /** `inbound` message, `outbound` message, `agent`, or a `flow` that can not continue */
    by: Type.String(),
  }),
  defineEvent(
    'ConversationMarkedPending',
    1,
    'Somebody marked the conversation as waiting for something; the next message of the customer opens it.',
    {},
  ),
  defineEvent(
    'ConversationAssigned',
    1,
    'Somebody else is in charge of the conversation; holds both values.',
    {
      agent_uuid: nullable(uuid()),
      group_uuid: nullable(uuid()),
    },
  ),
  defineEvent('ConversationRead', 1, 'Somebody has read what came in: the unread count is back to zero.', {}),
  defineEvent(
    'CustomerWrote',
    1,
    "The customer wrote, later than known so far by a minute or more: from here on WhatsApp's 24-hour customer service window is counted.",
    {
      /** By the provider's clock, but never later than ours. */
      at: instant(),
    },
  ),
  defineEvent(
    'ConversationTakenByFlow',
    1,
    'A flow is in charge of the conversation: what the customer writes goes to it, until it ends or hands over to people.',
    {
      execution_uuid: uuid(),
      /** The execution that was in charge until now, and ends. */
      replaced_uuid: nullable(uuid()),
    },
  ),
  defineEvent(
    'ConversationFlowQueued',
    1,
    'A flow begins in the conversation once those before it are over.',
    {
      execution_uuid: uuid(),
    },
  ),
  defineEvent('ConversationLeftByFlow', 1, 'The flow has ended, or no longer waits to begin.', {
    execution_uuid: uuid(),
  }),
  defineEvent(
    'ConversationHandedOff',
    1,
    'People take the conversation over; until it is resolved nothing the customer writes starts a flow.',
    {
      /** The execution that was in charge; null when there was no such execution. */
      execution_uuid: nullable(uuid()),
      /** A `handoff` block, or the customer `asked` for a person. */
      by: Type.Union([Type.Literal('handoff'), Type.Literal('asked')]),
    },
  ),
] as const;

export type ConversationEvent = EventOf<typeof conversationEvents>;
