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
  defineEvent('SignedIn', 1, 'A person of the team signed in to the console.', {
    act_uuid: uuid(),
    member_uuid: uuid(),
    session_uuid: uuid(),
    by: Type.Union([Type.Literal('password'), Type.Literal('oidc')]),
  }),
  defineEvent(
    'SignInFailed',
    1,
    'Somebody tried to sign in as a person of the team, with a wrong password or code. At most 20 a day are recorded.',
    { act_uuid: uuid(), member_uuid: uuid() },
  ),
  defineEvent('PasswordSet', 1, 'A person chose a password, by an invitation or in the own account.', {
    act_uuid: uuid(),
    member_uuid: uuid(),
  }),
  defineEvent('SecondFactorChanged', 1, 'A person set up the second factor of sign-in, or removed it.', {
    act_uuid: uuid(),
    member_uuid: uuid(),
    on: Type.Boolean(),
  }),
] as const;

export type AccountEvent = EventOf<typeof accountEvents>;
