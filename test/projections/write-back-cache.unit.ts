/** The write-back cache of a build, and reads of the store that it saves. */
import { expect } from 'chai';
import { createWriteBackCache } from '../../projections/write-back-cache.js';
import { createIdFilter } from '../../projections/id-filter.js';

const idOf = (n: number): string => `0198a6f0-${String(n).padStart(4, '0')}-7000-8000-000000000001`;

describe('ids that were written', () => {
  it('are all known, those of another kind are not, and hardly ever one that was not', () => {
    const filter = createIdFilter();
    const [mine, other] = [filter.of('0'), filter.of('1')];
    expect(mine.mayHave(idOf(1)), 'nothing was added').to.equal(false);
    for (let n = 0; n < 5_000; n += 1) mine.add(idOf(n));
    for (let n = 0; n < 5_000; n += 1) expect(mine.mayHave(idOf(n)), idOf(n)).to.equal(true);
    const wrong = Array.from({ length: 5_000 }, (_, n) => n).filter(
      (n) => mine.mayHave(idOf(n + 5_000)) || other.mayHave(idOf(n)),
    );
    expect(wrong.length).to.be.below(10);
  });
});

describe('documents in hand', () => {
  const fold = (
    hand: ReturnType<typeof createWriteBackCache>,
    id: string,
    doc: object,
    version = '1',
  ): void => {
    const weight = hand.working.get(id)?.weight ?? 0;
    hand.working.set(id, { doc: { ...doc }, base: '', version, changed: true, weight });
    hand.measure([id]);
  };

  it('are asked of the store only where it may have them and they are not in hand', () => {
    const hand = createWriteBackCache(createIdFilter().of('0'));
    expect(hand.load(['a', 'b']), 'nothing is written yet').to.deep.equal([]);
    fold(hand, 'a', { n: 1 });
    hand.saved();
    expect(hand.load(['a', 'b']), 'in hand since before').to.deep.equal([]);
    hand.saved();
    hand.saved();
    expect(hand.load(['a', 'b']), 'written, and let go').to.deep.equal(['a']);
    expect(createWriteBackCache(null).load(['a', 'b']), 'begun in the middle of the history').to.deep.equal([
      'a',
      'b',
    ]);
  });

  it('are written in parts by number and by size, each once, and what did not change is not', () => {
    const hand = createWriteBackCache(null);
    for (let n = 0; n < 5; n += 1) fold(hand, `small${n}`, { n });
    fold(hand, 'large', { text: 'x'.repeat(2_000) });
    fold(hand, 'last', { n: 7 });
    const idsOf = (documents: number, bytes: number) =>
      hand.chunks(documents, bytes).map((chunk) => chunk.map(({ id }) => id));
    expect(idsOf(3, 1e6)).to.deep.equal([
      ['small0', 'small1', 'small2'],
      ['small3', 'small4', 'large'],
      ['last'],
    ]);
    expect(idsOf(100, 1_000)).to.deep.equal([
      ['small0', 'small1', 'small2', 'small3', 'small4'],
      ['large'],
      ['last'],
    ]);
    expect(hand.bytes()).to.be.within(2_000, 3_000);
    fold(hand, 'large', { text: '' });
    expect(hand.bytes(), 'it became smaller').to.be.below(1_000);
    hand.saved();
    hand.load(['last']);
    expect([hand.bytes(), hand.chunks(3, 1e6)]).to.deep.equal([0, []]);
    hand.measure(['last']);
    expect(hand.bytes(), 'in hand again').to.be.within(1, 100);
  });
});
