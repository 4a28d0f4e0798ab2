import { expect } from 'chai';
import fc from 'fast-check';
import { BUILT_IN_WORDS, foldWord, readOptOutWord } from '../../../domain/policies/opt-out-words.js';

describe('opt-out words', () => {
  const table: readonly (readonly [string, 'stop' | 'resume' | null])[] = [
    ['PARAR', 'stop'],
    ['parar', 'stop'],
    ['  Parar!!! ', 'stop'],
    ['párar.', 'stop'],
    ['STOP', 'stop'],
    ['stop…', 'stop'],
    ['ＳＴＯＰ', 'stop'],
    ['sto\u200bp\u200e', 'stop'],
    ['VOLTAR', 'resume'],
    ['start ?', 'resume'],
    ['quero parar', null],
    ['STOP PLEASE', null],
    ['pare', null],
    ['não pare', null],
    ['p a r a r', null],
    ['stopp', null],
    ['', null],
    ['!!!', null],
    ['SAIR', null],
    ['x'.repeat(5000), null],
  ];
  for (const [said, meant] of table) {
    it(`"${said.slice(0, 20)}": ${meant ?? 'none'}`, () => {
      expect(readOptOutWord(said)).to.equal(meant);
    });
  }

  it('are joined by those of the company, which are folded alike', () => {
    const own = { stop: ['Não quero mais!', 'SAIR'], resume: ['Inscrever', 'sair'] };
    expect(readOptOutWord('nao  QUERO mais', own)).to.equal('stop');
    expect(readOptOutWord('inscrever.', own)).to.equal('resume');
    expect(readOptOutWord('sair', own), 'listed both ways').to.equal('stop');
    expect(readOptOutWord('PARAR', own)).to.equal('stop');
    expect(readOptOutWord('...', { stop: ['!'], resume: [] }), 'a word of nothing').to.equal(null);
  });

  it('are found with any spaces around and any punctuation behind, in any case', () => {
    const words = fc.constantFrom(...BUILT_IN_WORDS.stop);
    const edge = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\u00a0') });
    const end = fc.string({ unit: fc.constantFrom('.', '!', '?', ',', ';', '…', ' ', '"', ')') });
    fc.assert(
      fc.property(words, edge, end, fc.infiniteStream(fc.boolean()), (word, before, after, upper) => {
        const said = [...word].map((c) => (upper.next().value ? c.toUpperCase() : c.toLowerCase())).join('');
        const whole = before + said + after;
        fc.pre(whole.length <= 100);
        expect(readOptOutWord(whole)).to.equal('stop');
      }),
    );
  });

  it('fold to the same, folded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldWord(foldWord(text))).to.equal(foldWord(text));
      }),
    );
  });
});
