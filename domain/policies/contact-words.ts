/**
 * The words under which a contact is indexed, and the terms of a search text. Both are built here because they must
 * match: each term of a search must be the beginning of one of the words.
 */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { foldWords } from './fold-text.js';

export interface FoundBy {
  readonly phone: string | null;
  readonly phoneKey: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly externalIds: readonly string[];
  readonly tags: readonly string[];
}

/** Further words are dropped, so that an index entry is bounded even with many tags. */
const MAX_WORDS = 200;
const MAX_LENGTH = 64;
/** People search for a customer by the last digits of the number. */
const ENDING = 4;

export function contactWords(contact: FoundBy): readonly string[] {
  const words = new Set([
    ...phoneWords(contact.phone, contact.phoneKey),
    ...contact.externalIds.flatMap((id) => [...foldWords(id), ...numberRuns(id)]),
    ...foldWords(contact.email ?? ''),
    ...foldWords(contact.name ?? ''),
    ...contact.tags.flatMap((tag) => [...foldWords(tag), ...numberRuns(tag)]),
  ]);
  return [...words].slice(0, MAX_WORDS).map((word) => word.slice(0, MAX_LENGTH));
}

/** Terms of a search text; empty when the text contains no letters or digits. */
export function searchTerms(text: string): readonly string[] {
  const terms: string[] = [];
  const rest = text.replace(NUMBER, (run) => {
    const digits = digitsOf(run);
    if (!readsAsOne(run, digits)) return run;
    // Trunk and international prefixes: 011 98765-4321, 0055 11 98765-4321.
    terms.push(digits.replace(/^0+(?=\d{4})/, ''));
    return ' ';
  });
  terms.push(...foldWords(rest));
  return [...new Set(terms)].map((term) => term.slice(0, MAX_LENGTH));
}

/** The number with and without country and area code, and in Brazil with and without the ninth digit. */
function phoneWords(phone: string | null, key: string | null): readonly string[] {
  if (phone === null) return [];
  const digits = digitsOf(phone);
  const spellings = [digits, ...(key === null || key === digits ? [] : [key])];
  const [, area, number] = /^55(\d{2})9([6-9]\d{7})$/.exec(key ?? digits) ?? [];
  if (area !== undefined && number !== undefined) spellings.push(`55${area}${number}`);
  const words = spellings.flatMap((spelling) => {
    const national = nationalNumber(spelling);
    return [spelling, national, ...(spelling.startsWith('55') ? [national.slice(2)] : [])];
  });
  return [...words, digits.slice(-ENDING)].filter((word) => word !== '');
}

/**
 * Numbers whose national part can be found without the library's tables. Most numbers here are of this kind, and every
 * event of a contact rebuilds its words.
 */
const PLAIN_BRAZILIAN = /^55(?:[1-8]\d|9[1-9])\d{8,9}$/;

const nationalNumber = (digits: string): string =>
  PLAIN_BRAZILIAN.test(digits)
    ? digits.slice(2)
    : (parsePhoneNumberFromString(`+${digits}`)?.nationalNumber ?? digits);

/** Digits with the separators that people write between them. Not inside a word: `a1-2` is not a number. */
const NUMBER = /(?<![\p{L}\p{N}])(?:\+\s*)?\(?\d[\d\s().+/-]*\d(?![\p{L}\p{N}])/gu;
const JOINED = 5;
const SPACED = 8;

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/**
 * Whether the digits count as one number: from 5 digits when written without spaces or with `+` or `(`, otherwise from
 * 8.
 */
const readsAsOne = (run: string, digits: string): boolean =>
  digits.length >= SPACED || (digits.length >= JOINED && (!/\s/.test(run) || /[+(]/.test(run)));

/**
 * The numbers that a search would read as one term, so that an identifier such as 123.456.789-00 is found as it is
 * written.
 */
const numberRuns = (text: string): readonly string[] =>
  [...text.matchAll(NUMBER)].flatMap(([run]) => {
    const digits = digitsOf(run);
    return readsAsOne(run, digits) ? [digits.replace(/^0+(?=\d{4})/, '')] : [];
  });
