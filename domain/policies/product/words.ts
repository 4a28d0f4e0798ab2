/**
 * What a product is found by in a search, and what a search text looks for. The two are made here side by side: each
 * term of a search has to be the beginning of one of the words.
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

/** The rest is left out: an index entry is bounded, whatever the description holds. */
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
    // A cart of WhatsApp may name a variant by it.
    ...product.variants.flatMap(({ uuid }) => (uuid === undefined ? [] : [codeWord(uuid)])),
    ...foldWords(product.description ?? ''),
  ]);
  return [...words].map((word) => word.slice(0, MAX_LENGTH)).slice(0, MAX_WORDS);
}

/**
 * The word of a whole code. With a mark on either side, which no other word has: a search for it finds this code and
 * none that goes on from it.
 */
export const codeWord = (code: string): string => {
  const folded = foldText(code).replaceAll(/\s+/g, '');
  return `=${folded.slice(0, MAX_LENGTH - 2)}=`;
};

/** Terms of a search text; empty when there is nothing in it to look for. */
export const productTerms = (text: string): readonly string[] =>
  [...new Set(foldWords(text))].map((term) => term.slice(0, MAX_LENGTH));
