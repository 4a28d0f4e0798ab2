/** How texts are compared in searches: without accents, case and punctuation. */

/** Words in order; letters and digits of every script. `Ana-Lúcia 42` → `ana lucia 42`. */
export const foldWords = (text: string): readonly string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
