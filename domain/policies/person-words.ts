/**
 * Replies that call a person while a flow talks: the whole message has to be the wish, whatever its case, accents and
 * the punctuation behind it (opt-out-words.ts). Inside a sentence the same words may mean anything.
 */
import { foldWord, LONGEST_SAID } from './opt-out-words.js';

/** Always in force; a company adds its own. */
export const BUILT_IN_PERSON_WORDS: readonly string[] = [
  'ATENDENTE',
  'ATENDENTE HUMANO',
  'ATENDIMENTO HUMANO',
  'HUMANO',
  'PESSOA',
  'FALAR COM ATENDENTE',
  'FALAR COM UM ATENDENTE',
  'FALAR COM UMA ATENDENTE',
  'FALAR COM UMA PESSOA',
  'FALAR COM HUMANO',
  'FALAR COM UM HUMANO',
  'QUERO FALAR COM UM ATENDENTE',
  'QUERO FALAR COM UMA ATENDENTE',
  'QUERO FALAR COM UMA PESSOA',
  'AGENT',
  'HUMAN',
  'TALK TO A PERSON',
  'TALK TO A HUMAN',
  'TALK TO AN AGENT',
];

const BUILT_IN = new Set(BUILT_IN_PERSON_WORDS.map(foldWord));

/** @param words the company's own */
export function asksForPerson(text: string, words: readonly string[] = []): boolean {
  if (text.length > LONGEST_SAID) return false;
  const said = foldWord(text);
  return said !== '' && (BUILT_IN.has(said) || words.some((word) => foldWord(word) === said));
}
