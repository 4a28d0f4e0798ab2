import { expect } from 'chai';
import fc from 'fast-check';
import { createTopicTail, type StoredMessage } from '../../../adapters/embedded/topic-tail.js';

describe('the newest messages of a topic in memory', () => {
  it('are the stored ones, or undefined where an older one is needed', () => {
    const message = (offset: number): StoredMessage => ({ offset, key: `k${offset}`, value: '{}' });
    fc.assert(
      fc.property(
        fc.nat(5_000),
        fc.nat(3_000),
        fc.nat(9_000),
        fc.integer({ min: 1, max: 200 }),
        (before, count, offset, limit) => {
          const tail = createTopicTail();
          const all = Array.from({ length: count }, (_, index) => message(before + index + 1));
          for (const one of all) tail.add(one);
          const found = tail.after(offset, limit);
          const expected = all.filter((one) => one.offset > offset).slice(0, limit);
          if (found) expect(found).to.deep.equal(expected);
          else expect(count === 0 || offset < Math.max(before, before + count - 400)).to.equal(true);
          if (count === 0 || offset < before) expect(found).to.equal(undefined);
        },
      ),
    );
  });
});
