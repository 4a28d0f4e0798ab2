import { expect } from 'chai';
import fc from 'fast-check';
import { asksForPerson, BUILT_IN_PERSON_WORDS } from '../../../domain/policies/person-words.js';
import { readOptOutWord } from '../../../domain/policies/opt-out-words.js';

describe('words that call a person', () => {
  const calls = [
    'ATENDENTE',
    ' atendente! ',
    'Atendimento  humano',
    'humano',
    'falar com atendente',
    'Falar com um atendente.',
    'FALAR COM UMA PESSOA',
    'falar com humano?',
    'Pessoa',
    'agent',
    'Human',
    'Talk to a person',
    'ｈｕｍａｎ',
    'aten\u200bdente',
  ];
  const doNot = [
    'o atendente foi gentil',
    'não quero falar com atendente',
    'atendentes',
    'recursos humanos',
    'pessoa física',
    'agente',
    '',
    '?!',
    `atendente${' '.repeat(100)}`,
  ];
  for (const said of calls) {
    it(`"${said}" does`, () => expect(asksForPerson(said)).to.equal(true));
  }
  for (const said of doNot) {
    it(`"${said.slice(0, 30)}" does not`, () => expect(asksForPerson(said)).to.equal(false));
  }

  it('are joined by those of the company, which are folded alike', () => {
    expect(asksForPerson('chama a vendedora')).to.equal(false);
    expect(asksForPerson('CHAMA a  vendedora!', ['Chamá a vendedora'])).to.equal(true);
    expect(asksForPerson('atendente', ['Chama a vendedora'])).to.equal(true);
    expect(asksForPerson('...', ['!']), 'a word of nothing').to.equal(false);
  });

  it('are found with any spaces around and any punctuation behind, and are no wish about marketing', () => {
    const edge = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\u00a0') });
    const end = fc.string({ unit: fc.constantFrom('.', '!', '?', ',', '…', ' ') });
    fc.assert(
      fc.property(fc.constantFrom(...BUILT_IN_PERSON_WORDS), edge, end, (word, before, after) => {
        const said = before + word.toLowerCase() + after;
        fc.pre(said.length <= 100);
        expect(asksForPerson(said)).to.equal(true);
        expect(readOptOutWord(said)).to.equal(null);
      }),
    );
  });
});
