import { expect } from 'chai';
import fc from 'fast-check';
import { advance, allowance, conformsAt, RECIPIENT_PACE, type Pace } from '../../../domain/policies/gcra.js';

const paces = fc.record({
  intervalMs: fc.integer({ min: 1, max: 10_000 }),
  burst: fc.integer({ min: 1, max: 50 }),
});

/** Sends one message at each time, or as soon afterwards as it conforms; returns the send times. */
function play(pace: Pace, gaps: readonly number[]): number[] {
  let tat = 0;
  let now = 1_000_000;
  return gaps.map((gap) => {
    now = Math.max(now + gap, conformsAt(tat, pace));
    tat = advance(tat, now, pace);
    return now;
  });
}

describe('policies: GCRA', () => {
  it('lets no more through in any span than the burst and its even share', () => {
    fc.assert(
      fc.property(paces, fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 120 }), (pace, gaps) => {
        const went = play(pace, gaps);
        for (let i = 0; i < went.length; i += 1) {
          for (let j = i; j < went.length; j += 1) {
            const span = went[j]! - went[i]!;
            expect(j - i + 1).to.be.at.most(pace.burst + Math.floor(span / pace.intervalMs));
          }
        }
      }),
    );
  });

  it('is no slower than it has to be: after the burst one goes at every interval', () => {
    const pace: Pace = { intervalMs: 100, burst: 3 };
    const went = play(pace, [0, 0, 0, 0, 0, 0]).map((at) => at - 1_000_000);
    expect(went).to.deep.equal([0, 0, 0, 100, 200, 300]);
  });

  it('allows exactly as many at once as then conform one by one', () => {
    fc.assert(
      fc.property(
        paces,
        fc.integer({ min: -100_000, max: 100_000 }),
        fc.integer({ min: 0, max: 60 }),
        (pace, ahead, most) => {
          const now = 1_000_000;
          let tat = now + ahead;
          let conforming = 0;
          while (conforming < most && conformsAt(tat, pace) <= now) {
            tat = advance(tat, now, pace);
            conforming += 1;
          }
          expect(allowance(now + ahead, now, pace, most)).to.equal(conforming);
        },
      ),
    );
  });

  it('gives a rested key its whole burst and nothing more', () => {
    expect(allowance(0, 1_000_000, RECIPIENT_PACE, 1_000)).to.equal(45);
    expect(allowance(1_000_000, 1_000_000, RECIPIENT_PACE, 1_000)).to.equal(45);
  });

  it('lets 45 messages to one person go at once, then one every 6.1 s', () => {
    const asMany = (count: number): number[] => Array<number>(count).fill(0);
    const went = play(RECIPIENT_PACE, asMany(48)).map((at) => at - 1_000_000);
    expect(went.slice(0, 45)).to.deep.equal(asMany(45));
    expect(went.slice(45)).to.deep.equal([6_100, 12_200, 18_300]);
  });

  it('keeps to one message in 6 s to one person by the time of arrival, when one arrives 100 ms late', () => {
    const went = play(RECIPIENT_PACE, Array<number>(60).fill(0));
    // The burst and the first message after it arrive 100 ms late, all others without delay.
    const arrived = went.map((at, n) => (n < 46 ? at + 100 : at)).sort((a, b) => a - b);
    const theirs: Pace = { intervalMs: 6_000, burst: 45 };
    let tat = 0;
    for (const at of arrived) {
      expect(conformsAt(tat, theirs)).to.be.at.most(at);
      tat = advance(tat, at, theirs);
    }
  });

  it('does not hold back what is not paced', () => {
    expect(allowance(9_999_999, 0, { intervalMs: 0, burst: 1 }, 64)).to.equal(64);
  });
});
