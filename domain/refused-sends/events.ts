import { Type } from '@sinclair/typebox';
import {
  defineEvent,
  freeObject,
  metadataSchema,
  nullable,
  personal,
  uuid,
  type EventOf,
} from '../kernel/event.js';

export const refusedSendsEvents = [
  defineEvent(
    'SendRefused',
    1,
    'A gate refused POST /messages on the call, so nothing was accepted. Recorded for at most so many calls a minute and a day.',
    {
      company_uuid: uuid(),
      integration_uuid: uuid(),
      /** Request id of the call, as the caller got it. */
      request_id: Type.String(),
      /** The recipient as a sealing subject. */
      subject: uuid(),
      /** Name of the template; null for other messages. */
      template: nullable(Type.String()),
      /** The gate. */
      code: Type.String(),
      message: Type.String(),
      /** What the gate saw, as the caller got it. */
      details: personal(freeObject()),
      phone: personal(Type.String()),
      idempotency_key: personal(Type.String()),
      /** As in SendAccepted. */
      metadata: Type.Optional(personal(metadataSchema())),
    },
  ),
] as const;

export type RefusedSendsEvent = EventOf<typeof refusedSendsEvents>;
