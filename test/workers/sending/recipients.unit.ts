/**
 * One person gets 45 messages at once and then one per 6.1 s, from one channel, as far as the process knows. The
 * numbers are the test's own: a change in the product must fail here.
 */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { createRecipients } from '../../../workers/sending/recipients.js';
import { collectingLogger } from '../../support/app.js';
import { manualClock } from '../../support/fakes/manual-clock.js';

describe('the pace of a recipient', () => {
  function world(settings: { readonly paceRecipients?: boolean } = {}) {
    const clock = manualClock();
    const { logger, log } = collectingLogger();
    const executor = { load: () => Promise.reject(new Error('the store is away')) };
    const app = {
      clock,
      executor,
      logger,
      settings: { paceRecipients: true, ...settings },
    } as unknown as App;
    const recipients = createRecipients(app);
    /** Milliseconds until the next message may go; 0 when it may go now. */
    const wait = (channel = 'c1', person = 'ana'): number =>
      Math.max(0, recipients.opensAt(channel, person) - clock.now());
    const take = (count: number): void => {
      for (let n = 0; n < count; n += 1) recipients.took('c1', 'ana');
    };
    return { clock, recipients, wait, take, log };
  }

  it('is 45 at once, then one per 6.1 s', async () => {
    const { clock, wait, take } = world();
    take(44);
    expect(wait()).to.equal(0);
    take(1);
    expect(wait()).to.equal(6_100);
    await clock.advance(6_099);
    expect(wait()).to.equal(1);
    await clock.advance(1);
    expect(wait()).to.equal(0);
    take(1);
    expect(wait()).to.equal(6_100);
  });

  it('is that of one person and one channel only', () => {
    const { wait, take } = world();
    take(45);
    expect(wait('c1', 'bia')).to.equal(0);
    expect(wait('c2', 'ana')).to.equal(0);
  });

  it('is paid back in full: after 45 at once the next 45 may go together 274.5 s later', async () => {
    const { clock, wait, take } = world();
    take(45);
    await clock.advance(274_500);
    take(44);
    expect(wait()).to.equal(0);
    take(1);
    expect(wait()).to.equal(6_100);
  });

  it('lets nothing go before the time that WhatsApp asked for, and a shorter hold takes nothing back', () => {
    const { clock, recipients, wait } = world();
    recipients.hold('c1', 'ana', clock.now() + 16_000);
    expect(wait()).to.equal(16_000);
    recipients.hold('c1', 'ana', clock.now() + 4_000);
    expect(wait()).to.equal(16_000);
  });

  it('has to be asked for until everything of before is over: 274.5 s at least', async () => {
    const { clock, recipients } = world();
    const openedAt = clock.now();
    expect(recipients.isKnown('c1', 'ana', openedAt)).to.equal(false);
    await clock.advance(274_499);
    expect(recipients.isKnown('c1', 'ana', openedAt)).to.equal(false);
    recipients.took('c1', 'ana');
    expect(recipients.isKnown('c1', 'ana', openedAt)).to.equal(true);
    await clock.advance(3_600_000);
    expect(recipients.isKnown('c1', 'bia', openedAt)).to.equal(true);
  });

  it('need not be asked for once a refusal of before can hold nobody back any more: an hour later', async () => {
    const { clock, recipients } = world();
    const openedAt = clock.now();
    await clock.advance(3_599_999);
    expect(recipients.isKnown('c1', 'ana', openedAt)).to.equal(false);
    await clock.advance(1);
    expect(recipients.isKnown('c1', 'ana', openedAt)).to.equal(true);
  });

  it('is left to WhatsApp while the history can not be asked', async () => {
    const { recipients, wait, log } = world();
    await recipients.recall('c1', 'ana', 'operation');
    expect(wait()).to.equal(0);
    const [line, ...others] = log;
    expect([line!.level, line!.message, line!.fields['operation_uuid'], others]).to.deep.equal([
      'warn',
      'the pace of a recipient could not be restored',
      'operation',
      [],
    ]);
    expect(line!.fields['err']).to.have.property('message', 'the store is away');
  });

  it('is no matter where the operator has switched it off', () => {
    const { clock, recipients, wait, take } = world({ paceRecipients: false });
    take(100);
    recipients.hold('c1', 'ana', clock.now() + 16_000);
    expect(wait()).to.equal(0);
    expect(recipients.isKnown('c1', 'ana', clock.now())).to.equal(true);
  });

  it('is 45 at once, then one every 6,100 ms: never one at 6,099', async () => {
    const { clock, recipients } = world();
    for (let n = 1; n <= 45; n += 1) {
      expect(recipients.opensAt('c1', 'ana'), `message ${n}`).to.be.at.most(clock.now());
      recipients.took('c1', 'ana');
    }
    for (let n = 46; n <= 48; n += 1) {
      expect(recipients.opensAt('c1', 'ana'), `message ${n}`).to.equal(clock.now() + 6_100);
      await clock.advance(6_099);
      expect(recipients.opensAt('c1', 'ana')).to.be.greaterThan(clock.now());
      await clock.advance(1);
      expect(recipients.opensAt('c1', 'ana')).to.equal(clock.now());
      recipients.took('c1', 'ana');
    }
  });

  it('earns the whole burst back in 45 times 6.1 seconds of rest, and no more than that', async () => {
    const { clock, recipients, take } = world();
    take(45);
    await clock.advance(10 * 45 * 6_100);
    take(45);
    expect(recipients.opensAt('c1', 'ana')).to.equal(clock.now() + 6_100);
  });

  it('is one for each person and channel', () => {
    const { clock, recipients, take } = world();
    take(45);
    expect(recipients.opensAt('c1', 'bia')).to.be.at.most(clock.now());
    expect(recipients.opensAt('c2', 'ana')).to.be.at.most(clock.now());
  });
});
