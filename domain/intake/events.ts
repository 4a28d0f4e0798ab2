import { Type } from '@sinclair/typebox';
import { defineEvent, personal, type EventOf } from '../kernel/event.js';

export const intakeEvents = [
  defineEvent(
    'ProviderWebhookPartKept',
    1,
    'One piece of a provider webhook that is too large for one event. The rest follows in the same stream.',
    {
      /** Number of the piece, from 0. */
      part: Type.Integer({ minimum: 0 }),
      /** Base64. */
      body: personal(Type.String()),
    },
  ),
  defineEvent(
    'ProviderWebhookReceived',
    3,
    'A signed webhook of the provider arrived. Its bytes are stored, sealed under a key of that day, before it is answered or parsed.',
    {
      /** Size of the whole body. */
      bytes: Type.Integer({ minimum: 0 }),
      /** Number of pieces that were stored before this event. */
      parts: Type.Integer({ minimum: 0 }),
      /**
       * The lanes whose order this webhook belongs to: numbers by their ids, their histories, the rest. Empty: not
       * known.
       */
      lanes: Type.Array(Type.String()),
      /** Base64 of the exact body, or of its last piece. */
      body: personal(Type.String()),
    },
  ),
  defineEvent(
    'ProviderUpdateParked',
    1,
    'A part of a provider webhook could not be understood or applied. It is kept for an operator.',
    {
      /** Index of the update within the webhook. */
      index: Type.Integer({ minimum: 0 }),
      kind: Type.String(),
      reason: Type.String(),
    },
  ),
] as const;

export type IntakeEvent = EventOf<typeof intakeEvents>;
