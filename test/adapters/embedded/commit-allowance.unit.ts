import { expect } from 'chai';
import { createCommitAllowance } from '../../../adapters/embedded/commit-allowance.js';

describe('allowance of commits', () => {
  it('is there at first, and used up by what commits took', () => {
    const allowance = createCommitAllowance(0);
    expect(allowance.has(0)).to.equal(true);
    for (let n = 0; n < 49; n += 1) allowance.used(1, 0);
    expect(allowance.has(0)).to.equal(true);
    allowance.used(1, 0);
    expect(allowance.has(0)).to.equal(false);
  });

  it('comes back with a quarter of the time, also after a commit that took more than was left', () => {
    const allowance = createCommitAllowance(0);
    allowance.used(50 + 10, 0);
    expect(allowance.has(40)).to.equal(false);
    expect(allowance.has(41)).to.equal(true);
  });

  it('saves up no more than it had at first', () => {
    const allowance = createCommitAllowance(0);
    expect(allowance.has(3_600_000)).to.equal(true);
    allowance.used(50, 3_600_000);
    expect(allowance.has(3_600_000)).to.equal(false);
  });

  it('allows a quarter of the time for commits, however small they are', () => {
    const allowance = createCommitAllowance(0);
    let spent = 0;
    for (let now = 0; now < 10_000; now += 0.5) {
      if (!allowance.has(now)) continue;
      allowance.used(0.25, now);
      spent += 0.25;
    }
    expect(spent).to.be.within(2_500, 2_560);
  });
});
