import { channelAggregate } from '../../domain/channel/decide.js';
import { channelCommandExamples, channelEventExamples } from '../../domain/channel/examples.js';
import { given } from '../support/decider.js';

const { connected, tokenReplaced, healthReported, disconnected } = channelEventExamples;
const commands = channelCommandExamples;
const report = commands.reportRestriction.command;

describe('channel', () => {
  it('is connected once', () => {
    given(channelAggregate).when(commands.connect.command).then(connected);
    given(channelAggregate, connected).when(commands.connect.command).thenNothing();
  });

  it('refuses everything else before that', () => {
    for (const { command } of [commands.replaceToken, commands.reportRestriction, commands.disconnect]) {
      given(channelAggregate).when(command).thenRefused('channel_not_found', { resource: 'channel' });
    }
  });

  it('takes another token, not the same one', () => {
    given(channelAggregate, connected).when(commands.replaceToken.command).then(tokenReplaced);
    given(channelAggregate, connected, tokenReplaced).when(commands.replaceToken.command).thenNothing();
    given(channelAggregate, connected)
      .when({ type: 'ReplaceChannelToken', accessTokenSealed: connected.data.access_token_sealed })
      .thenNothing();
  });

  it('is disconnected once', () => {
    given(channelAggregate, connected).when(commands.disconnect.command).then(disconnected);
    given(channelAggregate, connected, disconnected).when(commands.disconnect.command).thenNothing();
  });

  describe('health', () => {
    it('is recorded when anything differs, and only then', () => {
      given(channelAggregate, connected).when(report).then(healthReported);
      given(channelAggregate, connected, healthReported).when(report).thenNothing();
      const changes = {
        qualityRating: 'YELLOW',
        verifiedName: 'Outra',
        phoneNumber: '+551140028923',
        throughputLevel: 'HIGH',
        providerStatus: 'RATE_LIMITED',
      };
      const wire = {
        qualityRating: 'quality_rating',
        verifiedName: 'verified_name',
        phoneNumber: 'phone_number',
        throughputLevel: 'throughput_level',
        providerStatus: 'provider_status',
      } as const;
      for (const [field, value] of Object.entries(changes) as [keyof typeof changes, string][]) {
        given(channelAggregate, connected, healthReported)
          .when({ ...report, [field]: value })
          .then({ ...healthReported, data: { ...healthReported.data, [wire[field]]: value } });
      }
    });

    const statuses: readonly (readonly [string | null, string])[] = [
      ['CONNECTED', 'connected'],
      ['FLAGGED', 'connected'],
      ['PENDING', 'pending'],
      ['UNVERIFIED', 'pending'],
      ['RESTRICTED', 'restricted'],
      ['RATE_LIMITED', 'restricted'],
      ['BANNED', 'banned'],
      ['DELETED', 'disconnected'],
      ['MIGRATED', 'disconnected'],
      ['DISCONNECTED', 'disconnected'],
      ['SOMETHING_NEW', 'connected'],
      [null, 'connected'],
    ];
    for (const [providerStatus, status] of statuses) {
      it(`of ${providerStatus ?? 'no status'} reads as ${status}`, () => {
        given(channelAggregate, connected)
          .when({ ...report, providerStatus })
          .then({
            ...healthReported,
            data: { ...healthReported.data, status, provider_status: providerStatus },
          });
      });
    }

    it('without a phone number keeps the known one', () => {
      given(channelAggregate, connected)
        .when({ ...report, phoneNumber: null })
        .then(healthReported);
    });
  });
});
