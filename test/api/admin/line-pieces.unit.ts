/**
 * Splitting lines into pieces: the bytes stay the same, and each piece ends at a line end, independent of the buffer's
 * old content.
 */
import { expect } from 'chai';
import { createPieces } from '../../../api/admin/line-pieces.js';

describe('admin API: pieces of lines', () => {
  const lines = [
    '',
    'a\n',
    'ação ✓ \u{1F600}\n',
    `${'€'.repeat(40)}\n`,
    'x'.repeat(500) + '\n',
    'b\n',
    'c\n',
  ];

  it('makes the bytes of all lines, in pieces that end with a line', () => {
    for (const size of [1, 16, 64, 130, 4_096]) {
      const found: string[] = [];
      for (const piece of createPieces(size).of(lines, (line) => line))
        found.push(Buffer.from(piece).toString());
      expect(found.join(''), `of ${size}`).to.equal(lines.join(''));
      expect(
        found.every((piece) => piece.endsWith('\n')),
        `of ${size}`,
      ).to.equal(true);
    }
  });

  it('makes one piece of what there is room for, and none of nothing', () => {
    const pieces = createPieces(4_096);
    expect([...pieces.of(lines, (line) => line)]).to.have.length(1);
    expect([...pieces.of([], String)]).to.deep.equal([]);
    expect([...pieces.of([''], String)]).to.deep.equal([]);
  });
});
