import { expect } from 'chai';
import { ceilingOf, cut, grown, IDLE_MS, startRate } from '../../../domain/policies/rate.js';

const GREEN = { throughputLevel: 'STANDARD', onBusinessApp: false, quality: 'GREEN', maxPerSecond: null };

describe('rate of a channel', () => {
  it('has a ceiling by what the number was granted, its quality and the operator', () => {
    expect(ceilingOf(60, GREEN)).to.equal(60);
    expect(ceilingOf(60, { ...GREEN, throughputLevel: 'HIGH' })).to.equal(750);
    // Meta grants 20 per second to a number that is also on the business app, at any throughput level.
    expect(ceilingOf(60, { ...GREEN, throughputLevel: 'HIGH', onBusinessApp: true })).to.equal(15);
    expect(ceilingOf(60, { ...GREEN, quality: 'YELLOW' })).to.equal(30);
    expect(ceilingOf(60, { ...GREEN, quality: 'RED' })).to.equal(6);
    expect(ceilingOf(60, { ...GREEN, quality: null })).to.equal(60);
    expect(ceilingOf(60, { ...GREEN, maxPerSecond: 15 })).to.equal(15);
    expect(ceilingOf(Infinity, GREEN)).to.equal(Infinity);
    expect(ceilingOf(Infinity, { ...GREEN, maxPerSecond: 15 })).to.equal(15);
  });

  it('starts at a third when new or long idle, and is at the ceiling after 40 seconds', () => {
    for (const last of [null, { at: -IDLE_MS, perSecond: 60 }]) {
      const rate = startRate(last, 0, 60);
      expect(rate.perSecond).to.equal(20);
      expect(grown(rate, 39_000, 60).perSecond).to.be.closeTo(59, 0.001);
      expect(grown(rate, 40_000, 60).perSecond).to.be.closeTo(60, 0.001);
      expect(grown(rate, 90_000, 60).perSecond).to.equal(60);
    }
  });

  it('goes on where it was after a restart, growing all the while', () => {
    expect(startRate({ at: -10_000, perSecond: 30 }, 0, 60).perSecond).to.be.closeTo(40, 0.001);
    expect(startRate({ at: 5_000, perSecond: 30 }, 0, 60).perSecond).to.equal(30);
    expect(startRate({ at: 0, perSecond: 60 }, 0, 6).perSecond).to.equal(6);
  });

  it('is halved by 130429, once a second, never below one, and grows by one each second', () => {
    const full = grown(startRate({ at: 0, perSecond: 60 }, 0, 60), 0, 60);
    const halved = cut(full, 1_000);
    expect(halved.perSecond).to.equal(30);
    expect(cut(halved, 1_999)).to.equal(halved);
    expect(cut(halved, 2_000).perSecond).to.equal(15);
    expect(grown(halved, 2_000, 60).perSecond).to.be.closeTo(31, 0.001);
    expect(grown(halved, 31_000, 60).perSecond).to.be.closeTo(60, 0.001);
    let least = halved;
    for (let second = 2; second < 20; second += 1) least = cut(least, second * 1_000);
    expect(least.perSecond).to.equal(1);
    expect(cut({ ...full, perSecond: 0.2 }, 5_000).perSecond).to.equal(0.2);
  });

  it('that is off stays off, and becomes finite when the operator limits it', () => {
    const off = startRate(null, 0, Infinity);
    expect(grown(off, 1_000, Infinity).perSecond).to.equal(Infinity);
    expect(cut(off, 1_000).perSecond).to.equal(Infinity);
    expect(grown(off, 1_000, 15).perSecond).to.equal(15);
  });
});
