import type { Aggregate } from '../kernel/decider.js';
import type { CompanyUuid } from '../kernel/ids.js';
import { Refusal } from '../kernel/refusal.js';
import { canonicalJson } from '../policies/canonical-json.js';
import { channelStream } from '../streams.js';
import { channelEvents, type ChannelEvent } from './events.js';
import {
  evolveChannel,
  initialChannel,
  type Channel,
  type ChannelRestriction,
  type ChannelStatus,
} from './state.js';

export type ChannelCommand =
  | {
      readonly type: 'ConnectChannel';
      readonly companyUuid: CompanyUuid;
      readonly phoneNumberId: string;
      readonly wabaId: string;
      readonly displayName: string | null;
      readonly phoneNumber: string | null;
      readonly accessTokenSealed: string;
    }
  | { readonly type: 'ReplaceChannelToken'; readonly accessTokenSealed: string }
  | {
      readonly type: 'ReportChannelHealth';
      readonly providerStatus: string | null;
      readonly qualityRating: string | null;
      readonly verifiedName: string | null;
      readonly phoneNumber: string | null;
      readonly throughputLevel: string | null;
      readonly nameStatus?: string | null;
      readonly messagingLimit?: string | null;
      readonly accountMode?: string | null;
      readonly onBusinessApp?: boolean | null;
    }
  /** The provider refused the access token. */
  | {
      readonly type: 'ReportAccessRefused';
      readonly reason: 'token' | 'permission';
      readonly code: number;
      readonly title: string;
    }
  /** A provider webhook about the whole account. */
  | {
      readonly type: 'ReportAccount';
      readonly event: string;
      /** The provider's ban state; null when the webhook is not about a ban. */
      readonly banState: string | null;
      readonly restrictions: readonly ChannelRestriction[];
      /** ISO 8601 */
      readonly at: string | null;
    }
  | { readonly type: 'DisconnectChannel'; readonly reason: string };

/** Meta's phone number statuses; only CONNECTED sends (Graph API, WhatsApp Business phone number node). */
const STATUS: Readonly<Partial<Record<string, ChannelStatus>>> = {
  CONNECTED: 'connected',
  PENDING: 'pending',
  UNVERIFIED: 'pending',
  RESTRICTED: 'restricted',
  RATE_LIMITED: 'restricted',
  FLAGGED: 'connected',
  BANNED: 'banned',
  DELETED: 'disconnected',
  MIGRATED: 'disconnected',
  DISCONNECTED: 'disconnected',
};

export function decideChannel(command: ChannelCommand, state: Channel): readonly ChannelEvent[] {
  if (command.type === 'ConnectChannel') {
    if (state.exists) return state.takenOff ? [reconnected(command)] : [];
    return [
      {
        type: 'ChannelConnected',
        data: {
          company_uuid: command.companyUuid,
          phone_number_id: command.phoneNumberId,
          waba_id: command.wabaId,
          display_name: command.displayName,
          phone_number: command.phoneNumber,
          access_token_sealed: command.accessTokenSealed,
        },
      },
    ];
  }
  if (!state.exists)
    throw new Refusal('channel_not_found', 'There is no such channel.', { resource: 'channel' });
  switch (command.type) {
    case 'ReplaceChannelToken':
      if (command.accessTokenSealed === state.accessTokenSealed) return [];
      return [{ type: 'ChannelTokenReplaced', data: { access_token_sealed: command.accessTokenSealed } }];
    // A channel that the operator disconnected stays disconnected; later health reports are ignored.
    case 'ReportChannelHealth':
      return state.takenOff ? [] : reportHealth(command, state);
    case 'ReportAccessRefused': {
      const { reason, code, title } = command;
      if (state.takenOff || state.accessRefused?.reason === reason) return [];
      return [{ type: 'ChannelAccessRefused', data: { reason, provider_code: code, title } }];
    }
    case 'ReportAccount':
      return state.takenOff ? [] : reportAccount(command, state);
    case 'DisconnectChannel':
      if (state.takenOff) return [];
      return [{ type: 'ChannelDisconnected', data: { reason: command.reason } }];
    default:
      return command satisfies never;
  }
}

const reconnected = (command: Extract<ChannelCommand, { type: 'ConnectChannel' }>): ChannelEvent => ({
  type: 'ChannelReconnected',
  data: {
    waba_id: command.wabaId,
    display_name: command.displayName,
    phone_number: command.phoneNumber,
    access_token_sealed: command.accessTokenSealed,
  },
});

function reportHealth(
  command: Extract<ChannelCommand, { type: 'ReportChannelHealth' }>,
  state: Channel,
): readonly ChannelEvent[] {
  const { providerStatus } = command;
  const known = providerStatus !== null && Object.hasOwn(STATUS, providerStatus);
  const data = {
    status: (known ? STATUS[providerStatus] : undefined) ?? state.numberStatus,
    provider_status: providerStatus,
    quality_rating: command.qualityRating,
    verified_name: command.verifiedName,
    phone_number: command.phoneNumber ?? state.phoneNumber,
    throughput_level: command.throughputLevel,
    name_status: command.nameStatus ?? null,
    messaging_limit: command.messagingLimit ?? null,
    account_mode: command.accountMode ?? null,
    on_business_app: command.onBusinessApp ?? null,
  };
  const same =
    data.status === state.numberStatus &&
    data.provider_status === state.providerStatus &&
    data.quality_rating === state.qualityRating &&
    data.verified_name === state.verifiedName &&
    data.phone_number === state.phoneNumber &&
    data.throughput_level === state.throughputLevel &&
    data.name_status === state.nameStatus &&
    data.messaging_limit === state.messagingLimit &&
    data.account_mode === state.accountMode &&
    data.on_business_app === state.onBusinessApp;
  return [
    // A health report comes from a call with the access token, so the token is accepted again.
    ...(state.accessRefused === null ? [] : [{ type: 'ChannelAccessRestored', data: {} } as const]),
    ...(same ? [] : [{ type: 'ChannelHealthReported', data } as const]),
  ];
}

function reportAccount(
  command: Extract<ChannelCommand, { type: 'ReportAccount' }>,
  state: Channel,
): readonly ChannelEvent[] {
  const { event, at } = command;
  if (at !== null && state.accountAt !== null && at < state.accountAt) return [];
  const banState = banAfter(command, state);
  const restrictions = event === 'ACCOUNT_RESTRICTION' ? command.restrictions : state.restrictions;
  const same =
    banState === state.banState && canonicalJson(restrictions) === canonicalJson(state.restrictions);
  if (same) return [];
  return [
    {
      type: 'ChannelAccountReported',
      data: { event, ban_state: banState, restrictions: restrictions.map((r) => ({ ...r })), at },
    },
  ];
}

/** Meta, account_update: `DISABLED_UPDATE` bans and reinstates; a deleted account never returns. */
function banAfter(
  { event, banState }: Extract<ChannelCommand, { type: 'ReportAccount' }>,
  state: Channel,
): string | null {
  if (event === 'ACCOUNT_DELETED') return 'DELETED';
  if (banState === null) return state.banState;
  return banState === 'REINSTATE' ? null : banState;
}

export const channelAggregate: Aggregate<Channel, ChannelCommand, ChannelEvent, 'channel'> = {
  stream: channelStream,
  events: channelEvents,
  initial: initialChannel,
  decide: decideChannel,
  evolve: evolveChannel,
};
