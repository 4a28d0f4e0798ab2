import type { ChannelEvent } from './events.js';

/**
 * `connected` sends; `restricted` and `banned` are the provider's doing; `pending` is not verified yet;
 * `disconnected` was taken off by the operator or the provider.
 */
export type ChannelStatus = 'connected' | 'pending' | 'restricted' | 'banned' | 'disconnected';

export interface Channel {
  readonly exists: boolean;
  readonly companyUuid: string;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  readonly displayName: string | null;
  readonly phoneNumber: string | null;
  readonly accessTokenSealed: string;
  readonly status: ChannelStatus;
  readonly providerStatus: string | null;
  readonly qualityRating: string | null;
  readonly verifiedName: string | null;
  readonly throughputLevel: string | null;
  /** Taken off by the operator: what the provider says of the number is of no concern any more. */
  readonly takenOff: boolean;
}

export const initialChannel: Channel = {
  exists: false,
  companyUuid: '',
  phoneNumberId: '',
  wabaId: '',
  displayName: null,
  phoneNumber: null,
  accessTokenSealed: '',
  status: 'disconnected',
  providerStatus: null,
  qualityRating: null,
  verifiedName: null,
  throughputLevel: null,
  takenOff: false,
};

export function evolveChannel(state: Channel, event: ChannelEvent): Channel {
  switch (event.type) {
    case 'ChannelConnected':
      return {
        ...initialChannel,
        exists: true,
        companyUuid: event.data.company_uuid,
        phoneNumberId: event.data.phone_number_id,
        wabaId: event.data.waba_id,
        displayName: event.data.display_name,
        phoneNumber: event.data.phone_number,
        accessTokenSealed: event.data.access_token_sealed,
        status: 'connected',
      };
    case 'ChannelTokenReplaced':
      return { ...state, accessTokenSealed: event.data.access_token_sealed };
    case 'ChannelHealthReported':
      return {
        ...state,
        status: event.data.status as ChannelStatus,
        providerStatus: event.data.provider_status,
        qualityRating: event.data.quality_rating,
        verifiedName: event.data.verified_name,
        phoneNumber: event.data.phone_number ?? state.phoneNumber,
        throughputLevel: event.data.throughput_level,
      };
    case 'ChannelDisconnected':
      return { ...state, status: 'disconnected', takenOff: true };
    default:
      return state;
  }
}
