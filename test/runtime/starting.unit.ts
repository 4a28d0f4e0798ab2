import { expect } from 'chai';
import { StoreUnavailable } from '../../ports/event-store.js';
import { whileStarting } from '../../runtime/starting.js';
import { manualClock } from '../support/fakes/manual-clock.js';

describe('what a start needs of its servers', () => {
  it('is asked for again while they are not there', async () => {
    const clock = manualClock();
    let asked = 0;
    const done = whileStarting(clock, 5_000, () =>
      ++asked < 4 ? Promise.reject(new StoreUnavailable('away')) : Promise.resolve('there'),
    );
    await clock.advance(5_000);
    expect(await done).to.equal('there');
    expect(asked).to.equal(4);
    expect(clock.pending()).to.equal(0);
  });

  it('is given up when the time is over, and at once for another reason', async () => {
    const clock = manualClock();
    const away = new StoreUnavailable('away');
    let asked = 0;
    const refused = whileStarting(clock, 2_000, () => {
      asked += 1;
      return Promise.reject(away);
    }).catch((error: unknown) => error);
    await clock.advance(4_000);
    expect(await refused).to.equal(away);
    expect(asked).to.be.within(4, 6);
    const wrong = new Error('wrong');
    expect(await whileStarting(clock, 2_000, () => Promise.reject(wrong)).catch((e: unknown) => e)).to.equal(
      wrong,
    );
    expect(clock.pending()).to.equal(0);
  });
});
