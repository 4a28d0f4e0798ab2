import { expect } from 'chai';
import fc from 'fast-check';
import { addTo, sliceCount, slicesOf } from '../../../adapters/embedded/search-signature.js';
import { runs } from '../../support/soak.js';

/** The signature bits of each document, by slices. */
function signed(documents: readonly (readonly string[])[]) {
  const texts = documents.map((words) => words.map((word) => ` ${word}`).join(''));
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const count = sliceCount(characters, Math.max(1, documents.length));
  const width = Math.ceil(documents.length / 8);
  const bits = new Uint8Array(count * width);
  for (const [nth, text] of texts.entries()) addTo(bits, count, width, nth, text);
  const meant = (beginning: string): readonly number[] =>
    [...documents.keys()].filter((nth) =>
      slicesOf(beginning, count).every(
        (slice) => (bits[slice * width + (nth >> 3)]! & (1 << (nth & 7))) !== 0,
      ),
    );
  return { count, meant };
}

describe('signatures of words', () => {
  it('mean every document that has a word with the beginning, whatever the words', () => {
    const word = fc.string({
      minLength: 1,
      maxLength: 50,
      size: 'max',
      unit: fc.constantFrom('a', 'b', 'é', '\u01ff', '0'),
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(word, { maxLength: 5 }), { minLength: 1, maxLength: 20 }),
        (documents) => {
          const { meant } = signed(documents);
          for (const [nth, words] of documents.entries()) {
            for (const one of words) {
              for (let length = 1; length <= one.length; length += 1) {
                expect(meant(one.slice(0, length)), one.slice(0, length)).to.include(nth);
              }
            }
          }
        },
      ),
      { numRuns: runs(50) },
    );
  });

  it('mean few others, be there much to say of a document or little', () => {
    for (const words of [1, 12, 150]) {
      const documents = [...Array(2_000).keys()].map((nth) =>
        // A few common words, and some unique ones.
        ['5511', 'cliente', ...[...Array(words).keys()].map((n) => `${nth}x${n}`)],
      );
      const { meant } = signed(documents);
      const wrong = [...Array(20).keys()].reduce((sum, n) => sum + meant(`nobody${n}`).length, 0);
      expect(wrong, `${words} words`).to.be.lessThan(20 * 2_000 * 0.001);
      expect(meant('1234x').filter((nth) => nth !== 1_234).length).to.be.lessThan(10);
    }
  });
});
