import { Type } from '@sinclair/typebox';
import { defineEvent, instant, nullable, uuid, type EventOf } from '../kernel/event.js';

export const accountEvents = [
  defineEvent(
    'PersonalDataRevealed',
    1,
    'Somebody who sees customers masked asked to see those of one thing. Recorded before it was shown.',
    {
      /** Identifies the act: one act is recorded once. */
      act_uuid: uuid(),
      member_uuid: uuid(),
      thing: Type.Union([
        Type.Literal('contact'),
        Type.Literal('conversation'),
        Type.Literal('order'),
        Type.Literal('message'),
      ]),
      thing_uuid: uuid(),
      reason: Type.Union([
        Type.Literal('customer_asked'),
        Type.Literal('order_problem'),
        Type.Literal('payment_check'),
        Type.Literal('complaint'),
        Type.Literal('quality_review'),
        Type.Literal('legal_request'),
        Type.Literal('suspected_abuse'),
      ]),
      /** Number of a ticket or an order. */
      reference: nullable(Type.String()),
      at: instant(),
      /** It is shown until then, or until the session ends. */
      until: instant(),
    },
  ),
] as const;

export type AccountEvent = EventOf<typeof accountEvents>;
