import { expect } from 'chai';
import { inBatches, plain, type Load } from '../../../workers/lanes/policy.js';

const load = (under: Readonly<Record<string, number>> = {}): Load => ({
  all: Object.values(under).reduce((sum, count) => sum + count, 0),
  of: (lane) => under[lane] ?? 0,
});
const lanes = ['a', 'b', 'c'].map((lane, n) => ({ lane, nextDueAt: n }));

describe('the plain policy', () => {
  const policy = plain(3, 2);

  it('lets so many begin over all lanes', () => {
    expect(policy.free(load())).to.equal(3);
    expect(policy.free(load({ a: 2 }))).to.equal(1);
    expect(policy.free(load({ a: 2, b: 1 }))).to.equal(0);
  });

  it('lets one of a lane begin before others are looked at, until the lane has its share', () => {
    expect([0, 1, 2, 3].map((a) => policy.room('a', load({ a })))).to.deep.equal([1, 1, 0, 0]);
    expect(policy.room('b', load({ a: 2 }))).to.equal(1);
  });

  it('takes the lanes with the fewest under way first, those that are even by due time', () => {
    const order = (under: Readonly<Record<string, number>>): readonly string[] =>
      policy.order(lanes, load(under)).map(({ lane }) => lane);
    expect(order({})).to.deep.equal(['a', 'b', 'c']);
    expect(order({ a: 1 })).to.deep.equal(['b', 'c', 'a']);
    expect(order({ a: 2, b: 1 })).to.deep.equal(['c', 'b', 'a']);
    expect(lanes.map(({ lane }) => lane)).to.deep.equal(['a', 'b', 'c']);
  });
});

describe('the policy of batches', () => {
  const policy = inBatches(50);

  it('lets so many of one lane begin once nothing is under way, by due time', () => {
    expect([policy.free(load()), policy.room('a', load())]).to.deep.equal([50, 50]);
    expect(policy.free(load({ a: 1 }))).to.equal(0);
    expect(policy.order(lanes, load())).to.deep.equal(lanes);
  });
});
