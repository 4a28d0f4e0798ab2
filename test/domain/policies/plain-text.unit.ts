import { expect } from 'chai';
import fc from 'fast-check';
import { plainText } from '../../../domain/policies/plain-text.js';
import { runs } from '../../support/soak.js';

describe('plain text of what may be HTML', () => {
  const cases: readonly (readonly [what: string, given: string, kept: string])[] = [
    ['entities are characters', 'Caf&eacute; &amp; leite &#233; &#xe9;', 'Café & leite é é'],
    ['an entity without its semicolon is text', 'R&D &copy=1', 'R&D &copy=1'],
    ['an entity that spells a tag stays text', '&lt;b&gt;', '<b>'],
    ['cells have a gap between them', '<tr><td>P</td><td>M</td></tr>', 'P  M'],
    ['words in bold have none', 'Ca<b>ne</b>ca', 'Caneca'],
    ['paragraphs are lines', '<p>um</p><p>dois</p>três', 'um\ndois\ntrês'],
    ['items are lines', '<ul><li>um</li><li>dois</li></ul>', 'um\ndois'],
    ['a break is a line', 'a<br/>b<BR>c', 'a\nb\nc'],
    ['scripts, styles and comments say nothing', 'a<script>x<b></script><style>y</style><!-- z -->b', 'a  b'],
    ['a script that never ends is text', 'a<script>b', 'a b'],
    ['a comparison is no tag', '3 < 4 and 5 > 4, a<b', '3 < 4 and 5 > 4, a<b'],
    ['plain text stays as it was written', '- um\n  - dois\n\n\nfim', '- um\n  - dois\n\n\nfim'],
  ];
  for (const [what, given, kept] of cases) it(what, () => expect(plainText(given)).to.equal(kept));

  it('keeps whatever has neither tags nor entities', () => {
    const plain = fc.string().filter((text) => !/[<&]/.test(text));
    fc.assert(
      fc.property(plain, (text) => plainText(text) === text.trim()),
      { numRuns: runs(200) },
    );
  });

  it('leaves no tag, however they are nested and broken off', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '<b>',
      '</b>',
      '<script>',
      '</script>',
      '<!--',
      '-->',
      'x',
      '/',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(plainText(pieces.join(''))).to.not.match(/<\/?(?:b|script)>/);
      }),
      { numRuns: runs(500) },
    );
  });
});
