import type { CompanyUuid } from '../kernel/ids.js';
import type { ChannelEvent } from './events.js';

/**
 * `connected` sends; `restricted` and `banned` are set by the provider; `pending` is not verified yet; `unauthorized`
 * has a token that the provider refuses; `disconnected` was disconnected by the operator or the provider.
 */
export type ChannelStatus =
  'connected' | 'pending' | 'restricted' | 'banned' | 'unauthorized' | 'disconnected';

export interface ChannelRestriction {
  /** The provider's name: `RESTRICTED_BIZ_INITIATED_MESSAGING`, … */
  readonly type: string;
  /** Null: the restriction has no announced end. */
  readonly expires_at: string | null;
}

export interface Channel {
  readonly exists: boolean;
  readonly companyUuid: CompanyUuid;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  readonly displayName: string | null;
  readonly phoneNumber: string | null;
  readonly accessTokenSealed: string;
  /** The channel's overall status, derived from the fields below. */
  readonly status: ChannelStatus;
  /** The status of the phone number alone, without bans, restrictions or a refused token. */
  readonly numberStatus: ChannelStatus;
  readonly providerStatus: string | null;
  readonly qualityRating: string | null;
  readonly verifiedName: string | null;
  readonly throughputLevel: string | null;
  readonly nameStatus: string | null;
  readonly messagingLimit: string | null;
  readonly accountMode: string | null;
  readonly onBusinessApp: boolean | null;
  readonly accessRefused: { readonly reason: string; readonly code: number; readonly title: string } | null;
  readonly banState: string | null;
  readonly restrictions: readonly ChannelRestriction[];
  /** Time of the latest account webhook applied: webhooks arrive in any order. */
  readonly accountAt: string | null;
  /** Disconnected by the operator: the provider's reports about the number no longer matter. */
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
  numberStatus: 'disconnected',
  providerStatus: null,
  qualityRating: null,
  verifiedName: null,
  throughputLevel: null,
  nameStatus: null,
  messagingLimit: null,
  accountMode: null,
  onBusinessApp: null,
  accessRefused: null,
  banState: null,
  restrictions: [],
  accountAt: null,
  takenOff: false,
};

export function evolveChannel(state: Channel, event: ChannelEvent): Channel {
  const next = change(state, event);
  return next === state ? state : { ...next, status: statusOf(next) };
}

function change(state: Channel, event: ChannelEvent): Channel {
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
        numberStatus: 'connected',
      };
    case 'ChannelReconnected':
      return {
        ...initialChannel,
        exists: true,
        companyUuid: state.companyUuid,
        phoneNumberId: state.phoneNumberId,
        wabaId: event.data.waba_id,
        displayName: event.data.display_name ?? state.displayName,
        phoneNumber: event.data.phone_number ?? state.phoneNumber,
        accessTokenSealed: event.data.access_token_sealed,
        numberStatus: 'connected',
      };
    case 'ChannelTokenReplaced':
      return { ...state, accessTokenSealed: event.data.access_token_sealed, accessRefused: null };
    case 'ChannelHealthReported':
      return {
        ...state,
        numberStatus: event.data.status as ChannelStatus,
        providerStatus: event.data.provider_status,
        qualityRating: event.data.quality_rating,
        verifiedName: event.data.verified_name,
        phoneNumber: event.data.phone_number ?? state.phoneNumber,
        throughputLevel: event.data.throughput_level,
        nameStatus: event.data.name_status,
        messagingLimit: event.data.messaging_limit,
        accountMode: event.data.account_mode,
        onBusinessApp: event.data.on_business_app,
      };
    case 'ChannelAccessRefused': {
      const { reason, provider_code, title } = event.data;
      return { ...state, accessRefused: { reason, code: provider_code, title } };
    }
    case 'ChannelAccessRestored':
      return { ...state, accessRefused: null };
    case 'ChannelAccountReported':
      return {
        ...state,
        banState: event.data.ban_state,
        restrictions: event.data.restrictions,
        accountAt: event.data.at ?? state.accountAt,
      };
    case 'ChannelDisconnected':
      return { ...state, takenOff: true };
    default:
      return state;
  }
}

function statusOf(state: Channel): ChannelStatus {
  if (state.takenOff || state.banState === 'DELETED') return 'disconnected';
  if (state.banState === 'DISABLE') return 'banned';
  return state.accessRefused === null ? state.numberStatus : 'unauthorized';
}
