/**
 * Replies that stop and resume marketing (spec §7, recipient_opted_out). The whole message must be the word; case,
 * accents and punctuation after it are ignored. A word inside a sentence does not count.
 */
export interface OptOutWords {
  readonly stop: readonly string[];
  readonly resume: readonly string[];
}

/** Always in force; a company can add its own. */
export const BUILT_IN_WORDS: OptOutWords = { stop: ['PARAR', 'STOP'], resume: ['VOLTAR', 'START'] };

/** A longer message can't be one of the words, and is not folded. */
export const LONGEST_SAID = 100;

/** A word that a company lists both ways stops marketing. */
export function readOptOutWord(
  text: string,
  own: OptOutWords = { stop: [], resume: [] },
): 'stop' | 'resume' | null {
  if (text.length > LONGEST_SAID) return null;
  const said = foldWord(text);
  if (said === '') return null;
  const among = (kind: keyof OptOutWords): boolean =>
    FOLDED[kind].includes(said) || own[kind].some((word) => foldWord(word) === said);
  if (among('stop')) return 'stop';
  return among('resume') ? 'resume' : null;
}

/** The words of a company, trimmed and without those that fold to an earlier one. */
export function tidyWords(words: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return words
    .map((word) => word.trim())
    .filter((word) => {
      const folded = foldWord(word);
      return !seen.has(folded) && seen.add(folded);
    });
}

/** Of the built-in words: each message of a customer is compared with them. */
const FOLDED: OptOutWords = {
  stop: BUILT_IN_WORDS.stop.map(foldWord),
  resume: BUILT_IN_WORDS.resume.map(foldWord),
};

/** Uses compatibility forms, so that full-width letters become letters; drops marks and invisible characters. */
export function foldWord(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/[\s\p{P}]+$/u, '')
    .trim();
}
