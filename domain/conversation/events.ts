import { Type } from '@sinclair/typebox';
import { defineEvent, instant, nullable, uuid, type EventOf } from '../kernel/event.js';

export const conversationEvents = [
  defineEvent(
    'ConversationOpened',
    2,
    'The first message between a contact and a channel was recorded, or the first after the last conversation was closed for good.',
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
  defineEvent('ConversationReopened', 1, 'A resolved conversation was opened again.', {
    /** `inbound` message, `outbound` message, `agent`, or a `flow` that can not continue */
    by: Type.String(),
  }),
  defineEvent(
    'ConversationMarkedPending',
    1,
    'Somebody marked the conversation as waiting for something; the next message of the customer opens it.',
    {},
  ),
  defineEvent('ConversationAssigned', 1, 'The assignment of the conversation changed; holds both values.', {
    agent_uuid: nullable(uuid()),
    group_uuid: nullable(uuid()),
  }),
  defineEvent(
    'ConversationRead',
    1,
    'Somebody has read the conversation: the unread count is zero again.',
    {},
  ),
  defineEvent(
    'CustomerWrote',
    1,
    "The customer wrote, a minute or more later than the last recorded time. WhatsApp's 24-hour customer service window starts here.",
    {
      /** By the provider's clock, but never later than ours. */
      at: instant(),
    },
  ),
  defineEvent(
    'ConversationTakenByFlow',
    1,
    "A flow is in charge of the conversation: it receives the customer's messages until it ends or hands over to people.",
    {
      execution_uuid: uuid(),
      /** The execution that was in charge until now, and ends. */
      replaced_uuid: nullable(uuid()),
    },
  ),
  defineEvent(
    'ConversationFlowQueued',
    1,
    'A flow waits in the conversation: it begins once the flows before it have ended.',
    {
      execution_uuid: uuid(),
    },
  ),
  defineEvent('ConversationLeftByFlow', 1, 'The flow has ended, or no longer waits for its beginning.', {
    execution_uuid: uuid(),
  }),
  defineEvent(
    'ConversationHandedOff',
    2,
    "People take the conversation over; until it is resolved, the customer's messages start no flow.",
    {
      /** The execution that was in charge; null when there was no such execution. */
      execution_uuid: nullable(uuid()),
      /** A `handoff` block, the customer `asked` for a person, or a `person` of the team took it over. */
      by: Type.Union([Type.Literal('handoff'), Type.Literal('asked'), Type.Literal('person')]),
    },
  ),
] as const;

export type ConversationEvent = EventOf<typeof conversationEvents>;
