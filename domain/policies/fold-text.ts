/** Normal forms by which texts are compared in searches: without accents, case and punctuation. */

/** Without accents and case: `Azul-Céu` → `azul-ceu`. */
export const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();

/** The words in order; letters and digits of all scripts. `Ana-Lúcia 42` → `ana lucia 42`. */
export const foldWords = (text: string): readonly string[] =>
  foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
