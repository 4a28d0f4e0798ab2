import { Type } from '@sinclair/typebox';
import { defineEvent, personal, type EventOf } from '../kernel/event.js';

export const intakeEvents = [
  defineEvent(
    'ProviderWebhookReceived',
    1,
    'A signed webhook of the provider arrived. Its bytes are kept, sealed under a key of that day, before it is answered or read.',
    {
      bytes: Type.Integer({ minimum: 0 }),
      /** Base64 of the exact body. */
      body: personal(Type.String()),
    },
  ),
  defineEvent(
    'ProviderUpdateParked',
    1,
    'Something in a provider webhook could not be understood or applied. It is kept for an operator.',
    {
      /** Which update within the webhook. */
      index: Type.Integer({ minimum: 0 }),
      kind: Type.String(),
      reason: Type.String(),
    },
  ),
] as const;

export type IntakeEvent = EventOf<typeof intakeEvents>;
