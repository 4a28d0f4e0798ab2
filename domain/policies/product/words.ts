/**
 * The words under which a product is indexed, and the terms of a search text. Both are built here because they must
 * match: each term of a search must be the beginning of one of the words.
 */
import { foldText, foldWords } from '../fold-text.js';

export interface ProductFoundBy {
  readonly name: string;
  readonly description: string | null;
  readonly import_handle: string | null;
  readonly sku: string | null;
  readonly gtin: string | null;
  readonly variants: readonly {
    readonly uuid?: string;
    readonly sku: string | null;
    readonly gtin: string | null;
  }[];
}

/** Further words are dropped, so that an index entry is bounded even with a long description. */
const MAX_WORDS = 500;
const MAX_LENGTH = 64;

export function productWords(product: ProductFoundBy): readonly string[] {
  const codes = [product, ...product.variants]
    .flatMap(({ sku, gtin }) => [sku, gtin])
    .concat(product.import_handle)
    .filter((code): code is string => code !== null);
  const words = new Set([
    ...codes.map(codeWord),
    ...foldWords(product.name),
    ...codes.flatMap(foldWords),
    // A WhatsApp cart may identify a variant by its uuid.
    ...product.variants.flatMap(({ uuid }) => (uuid === undefined ? [] : [codeWord(uuid)])),
    ...foldWords(product.description ?? ''),
  ]);
  return [...words].map((word) => word.slice(0, MAX_LENGTH)).slice(0, MAX_WORDS);
}

/**
 * The word of a whole code, with a mark on both sides that no other word has. A search for it finds this code, but no
 * longer code that begins with it.
 */
export const codeWord = (code: string): string => {
  const folded = foldText(code).replaceAll(/\s+/g, '');
  return `=${folded.slice(0, MAX_LENGTH - 2)}=`;
};

/** Terms of a search text; empty when the text contains no letters or digits. */
export const productTerms = (text: string): readonly string[] =>
  [...new Set(foldWords(text))].map((term) => term.slice(0, MAX_LENGTH));
