import { exampleIds, type CommandExamples, type EventExamples } from '../kernel/examples.js';
import type { ChannelCommand } from './decide.js';
import type { ChannelEvent } from './events.js';

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
    },
  },
  disconnected: { type: 'ChannelDisconnected', data: { reason: 'operator' } },
} satisfies EventExamples<ChannelEvent>;

const { connected } = channelEventExamples;

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
    },
  },
  disconnect: { given: [connected], command: { type: 'DisconnectChannel', reason: 'operator' } },
} satisfies CommandExamples<ChannelEvent, ChannelCommand>;
