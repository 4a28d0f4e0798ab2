import { expect } from 'chai';
import { DEFAULT_WEBHOOK_LIMITS as limits } from '../../../workers/webhooks/options.js';
import { freeSlots, isQuick, learn, newPace } from '../../../workers/webhooks/pace.js';

const now = 1_000_000;

describe('pace of an endpoint', () => {
  it('halves on time-outs and 429s, down to one, and grows back by one a round', () => {
    const pace = newPace(limits);
    const slots: number[] = [];
    for (const signal of ['timed_out', 'overloaded', 'timed_out', 'overloaded'] as const) {
      learn(pace, signal, 10, now, limits);
      slots.push(pace.slots);
    }
    expect(slots).to.deep.equal([5, 2, 1, 1]);
    learn(pace, 'answered', 10, now, limits);
    expect(pace.slots).to.equal(2);
    learn(pace, 'answered', 10, now, limits);
    expect(pace.slots).to.equal(2);
    learn(pace, 'answered', 10, now, limits);
    expect(pace.slots).to.equal(3);
    for (let round = 0; round < 200; round += 1) learn(pace, 'answered', 10, now, limits);
    expect(pace.slots).to.equal(limits.maxPerEndpoint);
  });

  it('gives up a slot for each slow answer', () => {
    const pace = newPace(limits);
    learn(pace, 'answered', limits.slowMs + 1, now, limits);
    expect(pace.slots).to.equal(limits.maxPerEndpoint - 1);
  });

  it('rests after a run of silence, probes with one, and rests twice as long each time up to a limit', () => {
    const pace = newPace(limits);
    let time = now;
    for (let n = 0; n < limits.breakerAfter - 1; n += 1) learn(pace, 'unreachable', 1, time, limits);
    expect(freeSlots(pace, 0, time)).to.equal(limits.maxPerEndpoint);
    const rests: number[] = [];
    for (let rest = 0; rest < 6; rest += 1) {
      learn(pace, 'unreachable', 1, time, limits);
      rests.push(pace.restUntil - time);
      expect(freeSlots(pace, 0, pace.restUntil - 1)).to.equal(0);
      time = pace.restUntil;
      expect(freeSlots(pace, 0, time)).to.equal(1);
      expect(freeSlots(pace, 1, time)).to.equal(0);
    }
    expect(rests).to.deep.equal([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    learn(pace, 'answered', 10, time, limits);
    expect(freeSlots(pace, 0, time)).to.be.above(1);
  });

  it('requests that were in flight when the rest began do not lengthen it', () => {
    const pace = newPace(limits);
    for (let n = 0; n < limits.breakerAfter + 9; n += 1) learn(pace, 'unreachable', 1, now, limits);
    expect(pace.restUntil - now).to.equal(limits.breakerMinMs);
  });

  it('an answer of any status ends a run of silence', () => {
    const pace = newPace(limits);
    for (let n = 0; n < limits.breakerAfter * 3; n += 1) {
      learn(pace, n % 10 === 9 ? 'answered' : 'unreachable', 1, now, limits);
    }
    expect(pace.restUntil).to.equal(0);
  });

  it('also one that says that it is overloaded: whoever says so is there', () => {
    const pace = newPace(limits);
    for (let n = 0; n < limits.breakerAfter * 3; n += 1) {
      learn(pace, n % 10 === 9 ? 'overloaded' : 'unreachable', 1, now, limits);
    }
    expect(pace.restUntil).to.equal(0);
  });

  it('keeps at least one slot, however slow its answers are', () => {
    const pace = newPace(limits);
    for (let n = 0; n < 30; n += 1) learn(pace, 'answered', 60_000, now, limits);
    expect(freeSlots(pace, 0, now)).to.equal(1);
  });

  it('grows by a slot only after a whole round of quick answers in a row', () => {
    for (const [signal, durationMs] of [
      ['timed_out', 10],
      ['answered', 60_000],
    ] as const) {
      const pace = { ...newPace(limits), slots: 6 };
      for (let n = 0; n < 2; n += 1) learn(pace, 'answered', 10, now, limits);
      learn(pace, signal, durationMs, now, limits);
      const left = pace.slots;
      for (let n = 0; n < left - 1; n += 1) learn(pace, 'answered', 10, now, limits);
      expect(pace.slots, signal).to.equal(left);
      learn(pace, 'answered', 10, now, limits);
      expect(pace.slots, signal).to.equal(left + 1);
    }
  });

  it('begins with all slots, and as quick as it was known to be', () => {
    const pace = { slots: 10, quickAnswers: 0, silent: 0, restUntil: 0, restedMs: 0 };
    expect(newPace(limits)).to.deep.equal({ ...pace, meanMs: 0 });
    expect(newPace(limits, 40)).to.deep.equal({ ...pace, meanMs: 40 });
  });

  it('knows how long its attempts take, later ones weighing a tenth, each a millisecond at least', () => {
    const pace = newPace(limits);
    const means: number[] = [];
    for (const durationMs of [200, 400, 0]) {
      learn(pace, 'answered', durationMs, now, limits);
      means.push(pace.meanMs);
    }
    expect(means[0]).to.equal(200);
    expect(means[1]).to.be.closeTo(220, 1e-6);
    expect(means[2]).to.be.closeTo(198.1, 1e-6);
  });

  for (const [meanMs, quick] of [
    [0, false],
    [1, true],
    [limits.slowMs, true],
    [limits.slowMs + 1, false],
  ] as const) {
    it(`${quick ? 'is' : 'is not'} quick with ${meanMs === 0 ? 'nothing known' : `a mean of ${meanMs} ms`}`, () => {
      expect(isQuick(newPace(limits, meanMs), limits)).to.equal(quick);
    });
  }

  it('gives up no slot for an answer that is just not slow, and wins none by silence', () => {
    const pace = { ...newPace(limits), slots: 4 };
    for (let n = 0; n < 10; n += 1) learn(pace, 'unreachable', 1, now, limits);
    expect(pace.slots).to.equal(4);
    learn(pace, 'answered', limits.slowMs, now, limits);
    expect(pace.slots).to.equal(4);
  });

  it('has all its slots again after a probe that was answered, be it by 503', () => {
    for (const signal of ['answered', 'overloaded'] as const) {
      const pace = { ...newPace(limits), slots: 8 };
      for (let n = 0; n < limits.breakerAfter; n += 1) learn(pace, 'unreachable', 1, now, limits);
      const { restUntil } = pace;
      learn(pace, signal, 10, restUntil, limits);
      expect(freeSlots(pace, 0, restUntil), signal).to.equal(signal === 'answered' ? 8 : 4);
      for (let n = 0; n < limits.breakerAfter; n += 1) learn(pace, 'unreachable', 1, restUntil, limits);
      expect(pace.restUntil - restUntil, 'the next rest is the shortest again').to.equal(limits.breakerMinMs);
    }
  });

  it('has as many free slots as are not in flight, never fewer than none', () => {
    const pace = newPace(limits);
    expect([0, 9, 10, 11].map((inFlight) => freeSlots(pace, inFlight, now))).to.deep.equal([10, 1, 0, 0]);
  });
});
