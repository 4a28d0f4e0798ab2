import { expect } from 'chai';
import { channelCapabilities } from '../../domain/channel/capabilities.js';
import { channelAggregate } from '../../domain/channel/decide.js';
import type { ChannelEvent } from '../../domain/channel/events.js';
import { channelCommandExamples, channelEventExamples } from '../support/examples/channel.js';
import { fold } from '../../domain/kernel/decider.js';
import { given } from '../support/decider.js';
import { withData } from '../support/events.js';

const { connected, tokenReplaced, healthReported, disconnected, reconnected } = channelEventExamples;
const { accessRefused, accessRestored, accountReported } = channelEventExamples;
const commands = channelCommandExamples;
const report = commands.reportRestriction.command;

const channel = given(channelAggregate, connected);
const disconnectedChannel = given(channelAggregate, connected, disconnected);
const restrictedChannel = given(channelAggregate, connected, accountReported);
const reconnectedChannel = given(channelAggregate, connected, disconnected, reconnected);
const watchedChannel = given(channelAggregate, connected, healthReported);

describe('channel', () => {
  it('is connected once', () => {
    given(channelAggregate).when(commands.connect.command).then(connected);
    channel.when(commands.connect.command).thenNothing();
  });

  it('refuses everything else before that', () => {
    for (const { command } of [commands.replaceToken, commands.reportRestriction, commands.disconnect]) {
      given(channelAggregate).when(command).thenRefused('channel_not_found', { resource: 'channel' });
    }
  });

  it('takes another token, not the same one', () => {
    channel.when(commands.replaceToken.command).then(tokenReplaced);
    given(channelAggregate, connected, tokenReplaced).when(commands.replaceToken.command).thenNothing();
    channel
      .when({ type: 'ReplaceChannelToken', accessTokenSealed: connected.data.access_token_sealed })
      .thenNothing();
  });

  it('is disconnected once', () => {
    channel.when(commands.disconnect.command).then(disconnected);
    disconnectedChannel.when(commands.disconnect.command).thenNothing();
  });

  it('is connected again after a disconnection, and only then', () => {
    disconnectedChannel.when(commands.connect.command).then(reconnected);
    reconnectedChannel.when(commands.connect.command).thenNothing();
    reconnectedChannel.when(report).then(healthReported);
  });

  it('that the operator took off hears nothing of the provider', () => {
    const reports = [report, commands.refuseAccess.command, commands.restrictAccount.command];
    for (const command of reports) {
      disconnectedChannel.when(command).thenNothing();
    }
  });

  it('that the provider disconnected can still be taken off', () => {
    const deleted = withData(healthReported, { status: 'disconnected' });
    given(channelAggregate, connected, deleted).when(commands.disconnect.command).then(disconnected);
  });

  const status = (...events: readonly ChannelEvent[]) =>
    fold(channelAggregate, [connected, ...events]).status;
  const ban = (ban_state: string | null) => withData(accountReported, { ban_state });

  it('has one status for everything that stands in the way', () => {
    expect(status()).to.equal('connected');
    expect(status(healthReported)).to.equal('restricted');
    expect(status(accessRefused)).to.equal('unauthorized');
    expect(status(accessRefused, healthReported)).to.equal('unauthorized');
    expect(status(accessRefused, accessRestored)).to.equal('connected');
    expect(status(accessRefused, tokenReplaced)).to.equal('connected');
    expect(status(ban('DISABLE'), accessRefused)).to.equal('banned');
    expect(status(ban('DISABLE'), ban(null), healthReported)).to.equal('restricted');
    expect(status(ban('SCHEDULE_FOR_DISABLE'))).to.equal('connected');
    expect(status(ban('DELETED'))).to.equal('disconnected');
    expect(status(ban('DISABLE'), disconnected)).to.equal('disconnected');
    expect(status(ban('DISABLE'), disconnected, reconnected)).to.equal('connected');
    // A restriction expires by itself, so it does not change the status.
    expect(status(accountReported)).to.equal('connected');
  });

  it('can do what its status and the restrictions in force leave', () => {
    const at = '2026-03-03T12:00:00.000Z';
    const able = (type: string | null, expires_at: string | null = null, status = 'connected') =>
      Object.values<boolean>({
        ...channelCapabilities({ status, restrictions: type === null ? [] : [{ type, expires_at }] }, at),
      });
    expect(able(null)).to.deep.equal([true, true, true]);
    expect(able(null, null, 'unauthorized')).to.deep.equal([false, false, false]);
    expect(able('RESTRICTED_BIZ_INITIATED_MESSAGING')).to.deep.equal([true, false, false]);
    expect(able('RESTRICTED_CUSTOMER_INITIATED_MESSAGING')).to.deep.equal([false, true, false]);
    expect(able('RESTRICTED_BIZ_INITIATED_MESSAGING', '2026-03-03T12:00:01.000Z')[1]).to.equal(false);
    expect(able('RESTRICTED_BIZ_INITIATED_MESSAGING', at)[1]).to.equal(true);
    expect(able('RESTRICTED_ADD_PHONE_NUMBER_ACTION')).to.deep.equal([true, true, true]);
  });

  describe('access', () => {
    const refuse = commands.refuseAccess.command;

    it('that is refused is told once, and again when it was restored in between', () => {
      channel.when(refuse).then(accessRefused);
      given(channelAggregate, connected, accessRefused).when(refuse).thenNothing();
      given(channelAggregate, connected, accessRefused, accessRestored).when(refuse).then(accessRefused);
    });

    it('is restored by any answer about the number', () => {
      given(channelAggregate, connected, healthReported, accessRefused).when(report).then(accessRestored);
      given(channelAggregate, connected, accessRefused).when(report).then(accessRestored, healthReported);
    });
  });

  describe('account', () => {
    const restrict = commands.restrictAccount.command;
    const disable = { ...restrict, event: 'DISABLED_UPDATE', restrictions: [] };

    it('restrictions and bans are recorded when they change what is in force', () => {
      channel.when(restrict).then(accountReported);
      restrictedChannel.when(restrict).thenNothing();
      // A report of a ban contains no restrictions, so those in force remain.
      restrictedChannel
        .when({ ...disable, banState: 'DISABLE' })
        .then(withData(accountReported, { event: 'DISABLED_UPDATE', ban_state: 'DISABLE' }));
      channel.when({ ...disable, banState: 'REINSTATE' }).thenNothing();
      given(channelAggregate, connected, ban('DISABLE'))
        .when({ ...disable, banState: 'REINSTATE' })
        .then(withData(accountReported, { event: 'DISABLED_UPDATE' }));
      channel.when({ ...disable, event: 'PARTNER_ADDED' }).thenNothing();
    });

    it('news that comes late changes nothing', () => {
      const late = { ...disable, banState: 'DISABLE', at: '2026-03-02T11:59:59.000Z' };
      restrictedChannel.when(late).thenNothing();
    });
  });

  describe('health', () => {
    it('is recorded when anything differs, and only then', () => {
      channel.when(report).then(healthReported);
      watchedChannel.when(report).thenNothing();
      const changes = {
        qualityRating: 'YELLOW',
        verifiedName: 'Outra',
        phoneNumber: '+551140028923',
        throughputLevel: 'HIGH',
        nameStatus: 'DECLINED',
        messagingLimit: 'TIER_10K',
        accountMode: 'SANDBOX',
        providerStatus: 'RATE_LIMITED',
      };
      const wire = {
        qualityRating: 'quality_rating',
        verifiedName: 'verified_name',
        phoneNumber: 'phone_number',
        throughputLevel: 'throughput_level',
        nameStatus: 'name_status',
        messagingLimit: 'messaging_limit',
        accountMode: 'account_mode',
        providerStatus: 'provider_status',
      } as const;
      for (const [field, value] of Object.entries(changes) as [keyof typeof changes, string][]) {
        watchedChannel
          .when({ ...report, [field]: value })
          .then(withData(healthReported, { [wire[field]]: value }));
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
        channel
          .when({ ...report, providerStatus })
          .then(withData(healthReported, { status, provider_status: providerStatus }));
      });
    }

    it('without a phone number keeps the known one', () => {
      channel.when({ ...report, phoneNumber: null }).then(healthReported);
    });
  });

  describe('news of the account', () => {
    const { command: restrict } = commands.restrictAccount;
    const at = accountReported.data.at;
    const early = '2026-03-02T11:59:59.000Z';

    it('that are older than the last ones change nothing', () => {
      const lifted = { ...restrict, restrictions: [] };
      const known = given(channelAggregate, connected, accountReported);
      known.when({ ...lifted, at: early }).thenNothing();
      known.when({ ...lifted, at }).then(withData(accountReported, { restrictions: [] }));
      known.when({ ...lifted, at: null }).then(withData(accountReported, { restrictions: [], at: null }));
      const undated = withData(accountReported, { at: null });
      given(channelAggregate, connected, undated)
        .when({ ...lifted, at: early })
        .then(withData(accountReported, { restrictions: [], at: early }));
    });

    it('that it was deleted take the number off for good', () => {
      const deletion = { ...restrict, event: 'ACCOUNT_DELETED', banState: null, restrictions: [] };
      channel.when(deletion).then({
        ...accountReported,
        data: { event: 'ACCOUNT_DELETED', ban_state: 'DELETED', restrictions: [], at },
      });
    });
  });
});
