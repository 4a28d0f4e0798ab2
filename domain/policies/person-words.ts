/**
 * Replies that ask for a person while a flow is running. The whole message must be the word; case, accents and
 * punctuation after it are ignored (opt-out-words.ts). Inside a sentence the same words may mean anything.
 */
import { foldWord, LONGEST_SAID } from './opt-out-words.js';

/** Always in force; a company can add its own. */
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

/** @param words the company's own words */
export function asksForPerson(text: string, words: readonly string[] = []): boolean {
  if (text.length > LONGEST_SAID) return false;
  const said = foldWord(text);
  return said !== '' && (BUILT_IN.has(said) || words.some((word) => foldWord(word) === said));
}
