import { exampleIds, type CommandExamples, type EventExamples } from './example.js';
import type { ChannelCommand } from '../../../domain/channel/decide.js';
import type { ChannelEvent } from '../../../domain/channel/events.js';

export const channelEventExamples = {
  connected: {
    type: 'ChannelConnected',
    data: {
      company_uuid: exampleIds.company,
      phone_number_id: '106540352242922',
      waba_id: '102290129340398',
      display_name: 'Padaria da Ana',
      phone_number: '+551140028922',
      access_token_sealed: 'sealed:token-1',
    },
  },
  tokenReplaced: { type: 'ChannelTokenReplaced', data: { access_token_sealed: 'sealed:token-2' } },
  healthReported: {
    type: 'ChannelHealthReported',
    data: {
      status: 'restricted',
      provider_status: 'RESTRICTED',
      quality_rating: 'RED',
      verified_name: 'Padaria da Ana',
      phone_number: '+551140028922',
      throughput_level: 'STANDARD',
      name_status: 'APPROVED',
      messaging_limit: 'TIER_2K',
      account_mode: 'LIVE',
      on_business_app: false,
    },
  },
  reconnected: {
    type: 'ChannelReconnected',
    data: {
      waba_id: '102290129340398',
      display_name: 'Padaria da Ana',
      phone_number: '+551140028922',
      access_token_sealed: 'sealed:token-1',
    },
  },
  accessRefused: {
    type: 'ChannelAccessRefused',
    data: { reason: 'token', provider_code: 190, title: 'Access token has expired' },
  },
  accessRestored: { type: 'ChannelAccessRestored', data: {} },
  accountReported: {
    type: 'ChannelAccountReported',
    data: {
      event: 'ACCOUNT_RESTRICTION',
      ban_state: null,
      restrictions: [{ type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expires_at: '2026-03-05T12:00:00.000Z' }],
      at: '2026-03-02T12:00:00.000Z',
    },
  },
  disconnected: { type: 'ChannelDisconnected', data: { reason: 'operator' } },
} satisfies EventExamples<ChannelEvent>;

const { connected, disconnected } = channelEventExamples;

export const channelCommandExamples = {
  connect: {
    given: [],
    command: {
      type: 'ConnectChannel',
      companyUuid: exampleIds.company,
      phoneNumberId: '106540352242922',
      wabaId: '102290129340398',
      displayName: 'Padaria da Ana',
      phoneNumber: '+551140028922',
      accessTokenSealed: 'sealed:token-1',
    },
  },
  replaceToken: {
    given: [connected],
    command: { type: 'ReplaceChannelToken', accessTokenSealed: 'sealed:token-2' },
  },
  reportRestriction: {
    given: [connected],
    command: {
      type: 'ReportChannelHealth',
      providerStatus: 'RESTRICTED',
      qualityRating: 'RED',
      verifiedName: 'Padaria da Ana',
      phoneNumber: '+551140028922',
      throughputLevel: 'STANDARD',
      nameStatus: 'APPROVED',
      messagingLimit: 'TIER_2K',
      accountMode: 'LIVE',
      onBusinessApp: false,
    },
  },
  reconnect: {
    given: [connected, disconnected],
    command: {
      type: 'ConnectChannel',
      companyUuid: exampleIds.company,
      phoneNumberId: '106540352242922',
      wabaId: '102290129340398',
      displayName: 'Padaria da Ana',
      phoneNumber: '+551140028922',
      accessTokenSealed: 'sealed:token-1',
    },
  },
  refuseAccess: {
    given: [connected],
    command: {
      type: 'ReportAccessRefused',
      reason: 'token',
      code: 190,
      title: 'Access token has expired',
    },
  },
  restrictAccount: {
    given: [connected],
    command: {
      type: 'ReportAccount',
      event: 'ACCOUNT_RESTRICTION',
      banState: null,
      restrictions: [{ type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expires_at: '2026-03-05T12:00:00.000Z' }],
      at: '2026-03-02T12:00:00.000Z',
    },
  },
  disconnect: { given: [connected], command: { type: 'DisconnectChannel', reason: 'operator' } },
} satisfies CommandExamples<ChannelEvent, ChannelCommand>;
