import { expect } from 'chai';
import { startRate } from '../../../domain/policies/rate.js';
import {
  mayGo,
  nextServed,
  nextSendAt,
  paceAt,
  served,
  slowDown,
  took,
  type ChannelLane,
} from '../../../workers/sending/lane.js';
import { roomFor } from '../../../workers/sending/shares.js';
import { makeLane as lane } from '../../support/sends/lane.js';

const due = { backlog: 10_000, nextDueAt: 0, moreLater: false };
const none = { backlog: 0, nextDueAt: Infinity, moreLater: false };

/** How WhatsApp counts: the number of messages that exceed the limit of their second. */
function beyond(times: readonly number[], perSecond: number): number {
  let from = 0;
  let over = 0;
  times.forEach((at, index) => {
    while (times[from]! <= at - 1_000) from += 1;
    if (index - from + 1 > perSecond) over += 1;
  });
  return over;
}

describe('a channel at saturation', () => {
  it('sends 95 % of its ceiling and more for ten minutes, from a cold start, and never too much at once', () => {
    const channel = lane('a');
    const times: number[] = [];
    for (let now = 0; now < 600_000;) {
      const pace = paceAt(channel, now, 60);
      const count = mayGo(channel, now, pace, 64);
      for (let n = 0; n < count; n += 1) {
        took(channel, now, pace);
        times.push(now);
      }
      now = Math.max(now + 1, Math.ceil(nextSendAt(channel, pace)));
    }
    expect(times.length / (60 * 600)).to.be.within(0.95, 1);
    expect(beyond(times, 80) / times.length).to.be.below(0.001);
  });

  it('finds the rate of a number that takes less than it should, with few refusals', () => {
    const channel = lane('a', { rate: startRate({ at: 0, perSecond: 60 }, 0, 60) });
    let refused = 0;
    let accepted = 0;
    const recent: number[] = [];
    for (let now = 0; now < 600_000;) {
      const pace = paceAt(channel, now, 60);
      const count = mayGo(channel, now, pace, 64);
      for (let n = 0; n < count; n += 1) {
        took(channel, now, pace);
        while (recent[0]! <= now - 1_000) recent.shift();
        if (recent.length >= 40) {
          refused += 1;
          slowDown(channel, now);
        } else {
          recent.push(now);
          accepted += 1;
        }
      }
      now = Math.max(now + 1, Math.ceil(nextSendAt(channel, pace)));
    }
    // The rate is a saw-tooth between half of the limit and all of it.
    expect(accepted / (40 * 600)).to.be.above(0.7);
    expect(refused / accepted).to.be.below(0.02);
  });
});

describe('the two lanes of a channel', () => {
  const run = (channel: ChannelLane, turns: number): readonly string[] => {
    const order: string[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const next = nextServed(channel, 1, 4)!;
      served(channel, next.urgency, next.limit);
      order.push(...Array<string>(next.limit).fill(next.urgency));
    }
    return order;
  };

  it('serve an answer before ten thousand marketing messages, and marketing in one turn of ten', () => {
    const both = lane('a', { waiting: { service: due, marketing: due } });
    const order = run(both, 400);
    expect(order[0]).to.equal('service');
    const share = order.filter((urgency) => urgency === 'marketing').length / order.length;
    expect(share).to.be.closeTo(0.1, 0.005);
  });

  it('give everything to the one that has something', () => {
    expect(nextServed(lane('a', { waiting: { service: none, marketing: due } }), 1, 4)).to.deep.equal({
      urgency: 'marketing',
      limit: 4,
    });
    expect(nextServed(lane('a', { waiting: { service: due, marketing: none } }), 1, 4)).to.deep.equal({
      urgency: 'service',
      limit: 4,
    });
    expect(nextServed(lane('a'), 1, 4)).to.equal(null);
  });

  it('stand still when the operator says so', () => {
    const channel = lane('a', { waiting: { service: due, marketing: due } });
    channel.facts = { ...channel.facts, stopped: 'marketing' };
    expect(run(channel, 30)).to.not.include('marketing');
    channel.facts = { ...channel.facts, stopped: 'everything' };
    expect(nextServed(channel, 1, 4)).to.equal(null);
  });
});

describe('calls under way', () => {
  const busy = { service: none, marketing: due };
  it('leave a quarter to whoever comes next', () => {
    const alone = lane('a', { inFlight: 100, waiting: busy });
    expect(roomFor(alone, [alone], 100, 256, 1)).to.equal(92);
    alone.inFlight = 192;
    expect(roomFor(alone, [alone], 192, 256, 1)).to.equal(0);
  });

  it('are shared between companies, however many channels one of them has', () => {
    const facts = { ...lane('x').facts, companyUuid: 'big' };
    const big = ['a', 'b', 'c'].map((name) => lane(name, { inFlight: 64, waiting: busy, facts }));
    const small = lane('d', { waiting: { service: due, marketing: none } });
    const all = [...big, small];
    expect(roomFor(big[0]!, all, 192, 256, 1)).to.equal(0);
    expect(roomFor(small, all, 192, 256, 1)).to.equal(64);
  });
});
