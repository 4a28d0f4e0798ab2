import { Type } from '@sinclair/typebox';
import { defineEvent, nullable, uuid, type EventOf } from '../kernel/event.js';

export const channelEvents = [
  defineEvent('ChannelConnected', 1, 'A WhatsApp business number was connected to a company.', {
    company_uuid: uuid(),
    phone_number_id: Type.String(),
    waba_id: Type.String(),
    display_name: nullable(Type.String()),
    phone_number: nullable(Type.String()),
    access_token_sealed: Type.String(),
  }),
  defineEvent('ChannelTokenReplaced', 1, "The number's access token was replaced.", {
    access_token_sealed: Type.String(),
  }),
  defineEvent(
    'ChannelHealthReported',
    1,
    'The provider reported another state of the number than the last known one.',
    {
      /** Recado's own reading: see `ChannelStatus`. */
      status: Type.String(),
      provider_status: nullable(Type.String()),
      quality_rating: nullable(Type.String()),
      verified_name: nullable(Type.String()),
      phone_number: nullable(Type.String()),
      throughput_level: nullable(Type.String()),
    },
  ),
  defineEvent('ChannelDisconnected', 1, 'The number was disconnected from the company.', {
    reason: Type.String(),
  }),
] as const;

export type ChannelEvent = EventOf<typeof channelEvents>;
