import { expect } from 'chai';
import fc from 'fast-check';
import { addTo, sliceCount, slicesOf } from '../../../adapters/embedded/search-signature.js';
import { createCandidateFilter } from '../../../adapters/embedded/search-candidates.js';
import { runs } from '../../support/soak.js';

/** A block of documents, with the slices that were read from it. */
function blockOf(documents: readonly (readonly string[])[], slicesWanted?: number) {
  const texts = documents.map((words) => words.map((word) => ` ${word}`).join(''));
  const slices = slicesWanted ?? sliceCount(texts.join('').length, documents.length);
  const width = Math.ceil(documents.length / 8);
  const bits = Buffer.alloc(slices * width);
  for (const [nth, text] of texts.entries()) addTo(bits, slices, width, nth, text);
  const asked: number[] = [];
  function slice(number: number): Uint8Array | undefined {
    asked.push(number);
    const bytes = Uint8Array.from(bits.subarray(number * width, (number + 1) * width));
    return bytes.some((byte) => byte !== 0) ? bytes : undefined;
  }
  const meant = (telling: ReturnType<typeof createCandidateFilter>): readonly number[] => {
    const left = telling.candidates({ used: documents.length, slices }, slice);
    return left ? [...documents.keys()].filter((nth) => (left[nth >> 3]! & (1 << (nth & 7))) !== 0) : [];
  };
  const having = (beginnings: readonly string[]): readonly number[] =>
    [...documents.entries()]
      .filter(([, words]) => beginnings.every((one) => words.some((word) => word.startsWith(one))))
      .map(([nth]) => nth);
  return { asked, meant, having };
}

const numbers = (length: number): readonly number[] => [...Array(length).keys()];

describe('telling documents apart by slices', () => {
  it('never leaves out one that has all the beginnings, whatever other blocks have told before', () => {
    const word = fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom('a', 'b', '0') });
    const documents = fc.array(fc.array(word, { maxLength: 6 }), { minLength: 1, maxLength: 70 });
    fc.assert(
      fc.property(
        fc.array(documents, { minLength: 1, maxLength: 4 }),
        fc.array(word, { minLength: 1, maxLength: 3 }),
        // Few enough slices that many of them are full.
        fc.constantFrom(16, 64, 1_024),
        (blocks, beginnings, slices) => {
          const telling = createCandidateFilter(beginnings);
          for (const each of blocks) {
            const block = blockOf(each, slices);
            expect(block.meant(telling)).to.include.members([...block.having(beginnings)]);
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('hardly asks for the words that all have, and first for the one that few have', () => {
    const documents = numbers(2_016).map((n) => [`c${n + 5_000}`, 'cliente', 'loja', 'example']);
    const telling = createCandidateFilter(['cliente', 'example', 'loja', 'c5010']);
    blockOf(documents).meant(telling);
    for (const _ of numbers(10)) {
      const next = blockOf(documents);
      expect(next.meant(telling)).to.include(10).and.to.have.length.below(4);
      expect(next.asked.length, 'of 20 and their shorter ones').to.be.lessThan(6);
    }
  });

  it('asks for what few have before what half have', () => {
    const documents = numbers(2_016).map((n) => [
      `c${n + 5_000}`,
      n % 2 === 0 ? 'half' : 'other',
      `t${n % 10}`,
    ]);
    const telling = createCandidateFilter(['half', 't8', 'c5018']);
    blockOf(documents).meant(telling);
    for (const _ of numbers(5)) {
      const next = blockOf(documents);
      expect(next.meant(telling)).to.include(18);
      expect(next.asked.length).to.be.lessThan(5);
    }
  });

  it('leaves few by chance, also where a beginning shares slices with words that all have', () => {
    // A fifth of the slices is full.
    const common = numbers(60).map((n) => String.fromCharCode(0x200 + n));
    const block = blockOf(
      numbers(2_016).map((n) => [`w${n}`, ...common]),
      1_400,
    );
    const full = new Set(common.flatMap((word) => slicesOf(word, 1_400)));
    const unlucky = numbers(5_000)
      .map((n) => `nobody${n}`)
      .filter((one) => slicesOf(one, 1_400).filter((slice) => full.has(slice)).length === 4);
    expect(unlucky).to.have.length.above(10);
    const left = unlucky.map((one) => block.meant(createCandidateFilter([one])).length);
    expect(left.reduce((sum, one) => sum + one, 0) / left.length).to.be.lessThan(5);
  });

  it('tells apart words that many have and nobody together, though each alone would be taken for enough', () => {
    const documents = numbers(16_128).map((n) => ['all', n % 2 === 0 ? 'even' : 'odd']);
    const telling = createCandidateFilter(['even', 'odd']);
    for (const _ of numbers(4)) {
      const block = blockOf(documents);
      expect(block.meant(telling).length).to.be.lessThan(20);
      expect(block.asked.length).to.be.at.most(20);
    }
  });

  it('tells of blocks with any number of documents', () => {
    for (const count of [1, 7, 9, 31, 33, 250]) {
      const documents = numbers(count).map((n) => [`n${n}`, 'all']);
      expect(
        blockOf(documents).meant(createCandidateFilter([`n${count - 1}`, 'all'])),
        `${count}`,
      ).to.include(count - 1);
      expect(blockOf(documents).meant(createCandidateFilter(['all'])), `${count}`).to.deep.equal(
        numbers(count),
      );
    }
  });
});
