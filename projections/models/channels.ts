import type { ChannelEvent } from '../../domain/channel/events.js';
import { evolveChannel, initialChannel, type Channel } from '../../domain/channel/state.js';
import { channelStream } from '../../domain/channel/stream.js';
import { defineProjection } from '../projection.js';

export type ChannelDoc = {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly phone_number_id: string;
  readonly waba_id: string;
  readonly display_name: string | null;
  readonly phone_number: string | null;
  readonly status: Channel['status'];
  readonly provider_status: string | null;
  readonly quality_rating: string | null;
  readonly throughput_level: string | null;
  readonly verified_name: string | null;
  readonly name_status: string | null;
  readonly messaging_limit: string | null;
  readonly account_mode: string | null;
  /** Shared with the WhatsApp Business app: 20 messages a second at most. */
  readonly on_business_app: boolean | null;
  readonly access_refused: Channel['accessRefused'];
  readonly ban_state: string | null;
  readonly restrictions: Channel['restrictions'];
  /** By the operator. */
  readonly taken_off: boolean;
  /** Sealed by the master key. */
  readonly access_token_sealed: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** The aggregate's own state, so that the document follows the same rules. */
  readonly state: Channel;
};

export const channels = defineProjection<ChannelDoc, ChannelEvent>({
  name: 'channels',
  version: 3,
  indexes: {
    by_company: ['company_uuid', 'created_at'],
    by_phone_number_id: ['phone_number_id', 'created_at'],
    by_waba_id: ['waba_id', 'created_at'],
  },
  handles: [
    'ChannelConnected',
    'ChannelReconnected',
    'ChannelTokenReplaced',
    'ChannelHealthReported',
    'ChannelAccessRefused',
    'ChannelAccessRestored',
    'ChannelAccountReported',
    'ChannelDisconnected',
  ],
  documentId: ({ record }) => channelStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }) => {
    if (!doc && event.type !== 'ChannelConnected') return null;
    const state = evolveChannel(doc?.state ?? initialChannel, event);
    // An event the aggregate does not know.
    if (doc && state === doc.state) return doc;
    return {
      uuid: channelStream.match(record.stream)!,
      company_uuid: state.companyUuid,
      phone_number_id: state.phoneNumberId,
      waba_id: state.wabaId,
      display_name: state.displayName ?? state.verifiedName,
      phone_number: state.phoneNumber,
      status: state.status,
      provider_status: state.providerStatus,
      quality_rating: state.qualityRating,
      throughput_level: state.throughputLevel,
      verified_name: state.verifiedName,
      name_status: state.nameStatus,
      messaging_limit: state.messagingLimit,
      account_mode: state.accountMode,
      on_business_app: state.onBusinessApp,
      access_refused: state.accessRefused,
      ban_state: state.banState,
      restrictions: state.restrictions,
      taken_off: state.takenOff,
      access_token_sealed: state.accessTokenSealed,
      created_at: doc?.created_at ?? record.meta.occurred_at,
      updated_at: record.meta.occurred_at,
      state,
    };
  },
});
