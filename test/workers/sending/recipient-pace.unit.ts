/** The pace towards one person, in numbers of its own: a change of the product's must be seen here. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { createRecipients } from '../../../workers/sending/recipients.js';
import { manualClock } from '../../support/fakes/manual-clock.js';

const PAIR = ['channel', 'person'] as const;

describe('the pace towards one person', () => {
  function world() {
    const clock = manualClock();
    const app = { clock, settings: { paceRecipients: true } } as unknown as App;
    return { clock, recipients: createRecipients(app) };
  }

  it('is 45 at once, then one every 6,100 ms: never one at 6,099', async () => {
    const { clock, recipients } = world();
    for (let n = 1; n <= 45; n += 1) {
      expect(recipients.opensAt(...PAIR), `message ${n}`).to.be.at.most(clock.now());
      recipients.took(...PAIR);
    }
    for (let n = 46; n <= 48; n += 1) {
      expect(recipients.opensAt(...PAIR), `message ${n}`).to.equal(clock.now() + 6_100);
      await clock.advance(6_099);
      expect(recipients.opensAt(...PAIR)).to.be.greaterThan(clock.now());
      await clock.advance(1);
      expect(recipients.opensAt(...PAIR)).to.equal(clock.now());
      recipients.took(...PAIR);
    }
  });

  it('earns the whole burst back in 45 times 6.1 seconds of rest, and no more than that', async () => {
    const { clock, recipients } = world();
    for (let n = 0; n < 45; n += 1) recipients.took(...PAIR);
    await clock.advance(10 * 45 * 6_100);
    for (let n = 0; n < 45; n += 1) recipients.took(...PAIR);
    expect(recipients.opensAt(...PAIR)).to.equal(clock.now() + 6_100);
  });

  it('is one for each person and channel', () => {
    const { clock, recipients } = world();
    for (let n = 0; n < 45; n += 1) recipients.took(...PAIR);
    expect(recipients.opensAt('channel', 'somebody else')).to.be.at.most(clock.now());
    expect(recipients.opensAt('another', 'person')).to.be.at.most(clock.now());
  });
});
