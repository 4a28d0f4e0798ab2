import type { Aggregate } from '../kernel/decider.js';
import { Refusal } from '../kernel/refusal.js';
import { channelEvents, type ChannelEvent } from './events.js';
import { evolveChannel, initialChannel, type Channel, type ChannelStatus } from './state.js';
import { channelStream } from './stream.js';

export type ChannelCommand =
  | {
      readonly type: 'ConnectChannel';
      readonly companyUuid: string;
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
    }
  | { readonly type: 'DisconnectChannel'; readonly reason: string };

/** Meta's phone number statuses; only CONNECTED sends (Graph API, WhatsApp Business phone number node). */
const STATUS: Readonly<Record<string, ChannelStatus>> = {
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
    if (state.exists) return [];
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
    case 'ReportChannelHealth': {
      if (state.takenOff) return [];
      const status =
        command.providerStatus === null ? state.status : (STATUS[command.providerStatus] ?? state.status);
      const phoneNumber = command.phoneNumber ?? state.phoneNumber;
      const same =
        status === state.status &&
        command.providerStatus === state.providerStatus &&
        command.qualityRating === state.qualityRating &&
        command.verifiedName === state.verifiedName &&
        phoneNumber === state.phoneNumber &&
        command.throughputLevel === state.throughputLevel;
      if (same) return [];
      return [
        {
          type: 'ChannelHealthReported',
          data: {
            status,
            provider_status: command.providerStatus,
            quality_rating: command.qualityRating,
            verified_name: command.verifiedName,
            phone_number: phoneNumber,
            throughput_level: command.throughputLevel,
          },
        },
      ];
    }
    case 'DisconnectChannel':
      if (state.status === 'disconnected') return [];
      return [{ type: 'ChannelDisconnected', data: { reason: command.reason } }];
    default:
      return command satisfies never;
  }
}

export const channelAggregate: Aggregate<Channel, ChannelCommand, ChannelEvent> = {
  stream: channelStream,
  events: channelEvents,
  initial: initialChannel,
  decide: decideChannel,
  evolve: evolveChannel,
};
