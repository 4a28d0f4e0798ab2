/** How texts are compared in searches: without accents, case and punctuation. */

/** Without accents and case: `Azul-Céu` → `azul-ceu`. */
export const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();

/** Words in order; letters and digits of every script. `Ana-Lúcia 42` → `ana lucia 42`. */
export const foldWords = (text: string): readonly string[] =>
  foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
