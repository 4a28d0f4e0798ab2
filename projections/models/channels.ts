import type { ChannelEvent } from '../../domain/channel/events.js';
import { evolveChannel, initialChannel } from '../../domain/channel/state.js';
import { channelStream } from '../../domain/streams.js';
import { channels as collection, type ChannelDoc } from '../../read-models/channels.js';
import { defineProjection } from '../projection.js';

export const channels = defineProjection<ChannelDoc, ChannelEvent>({
  collection,
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
  evolve: (doc, { event, record }, uuid) => {
    if (!doc && event.type !== 'ChannelConnected') return null;
    const state = evolveChannel(doc?.state ?? initialChannel, event);
    // An event type that the aggregate does not know.
    if (doc && state === doc.state) return doc;
    return {
      uuid,
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
