/**
 * Replies that stop and resume marketing (spec §7, recipient_opted_out): the whole message has to be the word, as
 * people type it, whatever its case, accents and the punctuation behind it. A word inside a sentence is none.
 */
export interface OptOutWords {
  readonly stop: readonly string[];
  readonly resume: readonly string[];
}

/** Always in force; a company adds its own. */
export const BUILT_IN_WORDS: OptOutWords = { stop: ['PARAR', 'STOP'], resume: ['VOLTAR', 'START'] };

/** Longer messages can't be one of the words, and need not be folded. */
export const LONGEST_SAID = 100;

/** Of a word that a company lists both ways, stopping wins. */
export function readOptOutWord(
  text: string,
  own: OptOutWords = { stop: [], resume: [] },
): 'stop' | 'resume' | null {
  if (text.length > LONGEST_SAID) return null;
  const said = foldWord(text);
  if (said === '') return null;
  const among = (kind: keyof OptOutWords): boolean =>
    [...BUILT_IN_WORDS[kind], ...own[kind]].some((word) => foldWord(word) === said);
  if (among('stop')) return 'stop';
  return among('resume') ? 'resume' : null;
}

/** As a company gives them, without spaces around them and without words that read like one before. */
export function tidyWords(words: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return words
    .map((word) => word.trim())
    .filter((word) => {
      const folded = foldWord(word);
      return !seen.has(folded) && seen.add(folded);
    });
}

/** Compatibility forms, so that full-width letters are letters; marks and invisible characters go. */
export function foldWord(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/[\s\p{P}]+$/u, '')
    .trim();
}
