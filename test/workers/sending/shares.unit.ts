/** How many calls a channel may begin while other channels want to as well. */
import { expect } from 'chai';
import type { ChannelLane } from '../../../workers/sending/lane.js';
import { roomFor } from '../../../workers/sending/shares.js';
import { makeLane } from '../../support/sends/lane.js';

const NOW = 100;
const none = { backlog: 0, nextDueAt: Infinity, moreLater: false };
const due = { backlog: 1, nextDueAt: NOW, moreLater: false };
const later = { backlog: 1, nextDueAt: NOW + 1, moreLater: false };

describe('the room for calls of a channel', () => {
  const channel = (
    company: string,
    inFlight: number,
    waiting: ChannelLane['waiting'] = { service: due, marketing: none },
  ) => {
    const lane = makeLane(company, { inFlight, waiting });
    lane.facts = { ...lane.facts, companyUuid: company };
    return lane;
  };
  const room = (lane: ChannelLane, others: readonly ChannelLane[], inFlight: number, most = 100): number =>
    roomFor(lane, [lane, ...others], inFlight, most, NOW);

  it('is three quarters of all until half of them are in use, whoever else waits', () => {
    const others = [channel('b', 0), channel('c', 0)];
    expect(room(channel('a', 0), others, 0)).to.equal(75);
    expect(room(channel('a', 49), others, 49)).to.equal(26);
    expect(roomFor(channel('a', 0), [], 0, 5, NOW), 'rounded down').to.equal(3);
    expect(roomFor(channel('a', 0), [], 0, 1, NOW), 'less than one').to.equal(0);
  });

  it('is its share of the company, which has its share of all, once half are in use', () => {
    expect(room(channel('a', 20), [channel('b', 30)], 50), 'two companies').to.equal(30);
    expect(room(channel('a', 20), [channel('b', 20), channel('c', 10)], 50), 'three').to.equal(13);
    expect(room(channel('a', 20), [channel('a', 30)], 50), 'one, with two channels').to.equal(17);
    expect(
      room(channel('a', 5), [channel('a', 45), channel('b', 0)], 50),
      'its company has its own',
    ).to.equal(0);
    expect(room(channel('a', 5), [channel('a', 40), channel('b', 5)], 50), 'and what is left of it').to.equal(
      5,
    );
    expect(room(channel('a', 50), [], 50), 'alone').to.equal(25);
  });

  it('is one at least of a share that is less than one, as long as one is free', () => {
    const others = ['b', 'c', 'd'].map((company) => channel(company, 1));
    expect(room(channel('a', 0), others, 3, 4)).to.equal(1);
    expect(
      room(
        channel('a', 0),
        ['b', 'c', 'd'].map((company) => channel(company, 0)),
        2,
        3,
      ),
    ).to.equal(1);
    const siblings = [channel('a', 0), channel('a', 0), channel('a', 1)];
    expect(room(channel('a', 0), siblings, 2, 4), 'of a company with more channels than calls').to.equal(1);
  });

  it('is none where none is free, or its share is in use', () => {
    expect(room(channel('a', 0), [channel('b', 100)], 100)).to.equal(0);
    expect(room(channel('a', 60), [channel('b', 20)], 80)).to.equal(0);
    expect(room(channel('a', 10), [channel('b', 75)], 85), 'no more than are free').to.equal(15);
  });

  it('is shared with those who call or have something due, and with nobody else', () => {
    const idle = { service: none, marketing: none };
    const shared = (other: ChannelLane): boolean => room(channel('a', 50), [other], 50) === 0;
    expect(shared(channel('b', 1, idle)), 'calls').to.equal(true);
    expect(shared(channel('b', 0, { service: due, marketing: none })), 'service').to.equal(true);
    expect(shared(channel('b', 0, { service: none, marketing: due })), 'marketing').to.equal(true);
    expect(shared(channel('b', 0, { service: later, marketing: later })), 'later').to.equal(false);
    expect(shared(channel('b', 0, idle)), 'nothing').to.equal(false);
    const stopped = channel('b', 0, { service: due, marketing: due });
    stopped.facts = { ...stopped.facts, stopped: 'everything' };
    expect(shared(stopped), 'stopped').to.equal(false);
  });

  it('counts itself also where nothing of its own is due', () => {
    const lane = channel('a', 0, { service: none, marketing: none });
    expect(roomFor(lane, [lane, channel('b', 50)], 50, 100, NOW)).to.equal(50);
  });
});
