import { Type } from '@sinclair/typebox';
import { defineEvent, instant, nullable, uuid, type EventOf } from '../kernel/event.js';

export const channelEvents = [
  defineEvent('ChannelConnected', 1, 'A WhatsApp business number was connected to a company.', {
    company_uuid: uuid(),
    phone_number_id: Type.String(),
    waba_id: Type.String(),
    display_name: nullable(Type.String()),
    phone_number: nullable(Type.String()),
    access_token_sealed: Type.String(),
  }),
  defineEvent('ChannelReconnected', 1, 'A number that had been disconnected was connected again.', {
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
    2,
    'The provider reported a state of the number that differs from the last known one.',
    {
      /** Recado's own interpretation of the number's state: see `ChannelStatus`. */
      status: Type.String(),
      provider_status: nullable(Type.String()),
      quality_rating: nullable(Type.String()),
      verified_name: nullable(Type.String()),
      phone_number: nullable(Type.String()),
      throughput_level: nullable(Type.String()),
      name_status: nullable(Type.String()),
      /** How many people a template may open a conversation with per rolling day: `TIER_2K` and the like. */
      messaging_limit: nullable(Type.String()),
      /** `LIVE` or `SANDBOX`. */
      account_mode: nullable(Type.String()),
      /** The number is shared with the WhatsApp Business app, which limits it to 20 messages a second. */
      on_business_app: nullable(Type.Boolean()),
    },
  ),
  defineEvent(
    'ChannelAccessRefused',
    1,
    "The provider does not accept the channel's access token any more.",
    {
      /** `token`: wrong, expired or revoked; `permission`: the token lacks a required permission. */
      reason: Type.Union([Type.Literal('token'), Type.Literal('permission')]),
      provider_code: Type.Integer(),
      title: Type.String(),
    },
  ),
  defineEvent('ChannelAccessRestored', 1, 'The provider accepts the access token again.', {}),
  defineEvent(
    'ChannelAccountReported',
    1,
    'The provider banned, reinstated or restricted the WhatsApp account of the number; holds the state in force now.',
    {
      /** The provider's name of what happened. */
      event: Type.String(),
      /**
       * DISABLE, SCHEDULE_FOR_DISABLE, DELETED or a later value of the provider; null when the account is not banned.
       */
      ban_state: nullable(Type.String()),
      restrictions: Type.Array(
        Type.Object(
          { type: Type.String(), expires_at: nullable(instant()) },
          { additionalProperties: false },
        ),
      ),
      /** When the change happened, according to the provider. */
      at: nullable(instant()),
    },
  ),
  defineEvent('ChannelDisconnected', 1, 'The number was disconnected from the company.', {
    reason: Type.String(),
  }),
] as const;

export type ChannelEvent = EventOf<typeof channelEvents>;

export const channelUpcasters = {
  'ChannelHealthReported@1': (data: Readonly<Record<string, unknown>>) => ({
    ...data,
    name_status: null,
    messaging_limit: null,
    account_mode: null,
    on_business_app: null,
  }),
};
