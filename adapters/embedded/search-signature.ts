/**
 * Signatures of the words of many documents, cut into slices: slice n holds bit n of every document's signature. The
 * hash of each beginning of each word selects a few bits. The documents that may have a word with some beginning are
 * those with all of its bits: a few slices, and-ed. Some of them match by chance, so the caller must compare the words
 * too; no match is missing. (Bit-sliced signatures: Goodwin et al., BitFunnel, SIGIR 2017.)
 *
 * The number of slices follows from the amount of text, so that chance matches stay rare for any documents. Signatures
 * contain nothing about a person: words that are erased need not be removed from them.
 */

/** Bits for each beginning of a word. */
export const BITS = 5;
/** Share of the bits that are set. Together with BITS it lets one document in a few thousand match by chance. */
export const DENSITY = 0.16;
/**
 * Words that all documents have fill their slices completely. With few other words, these would be a large part of all.
 */
const MIN_SLICES = 1_024;
const MAX_SLICES = 32_768;
/** Longer beginnings share the slices of their first 32 characters; only the words themselves distinguish them. */
const LONGEST = 32;

/** Number of slices for so many documents, whose words have `characters` characters in all. */
export const sliceCount = (characters: number, documents: number): number =>
  Math.min(MAX_SLICES, Math.max(MIN_SLICES, Math.ceil((characters / documents) * (BITS / DENSITY))));

/** Slices in which every document that has a word with this beginning has its bit set. */
export function slicesOf(beginning: string, count: number): readonly number[] {
  let hash = START;
  for (let at = 0; at < Math.min(beginning.length, LONGEST); at += 1) {
    hash = next(hash, beginning.charCodeAt(at));
  }
  const first = mixed(hash);
  const step = mixed(hash ^ OTHER);
  return Array.from({ length: BITS }, (_, bit) => ((first + Math.imul(bit, step)) >>> 0) % count);
}

/**
 * Sets the bits of one document.
 * @param bits `count` slices of `width` bytes
 * @param words each preceded by a space
 */
export function addTo(bits: Uint8Array, count: number, width: number, place: number, words: string): void {
  const byte = place >> 3;
  const mask = 1 << (place & 7);
  let hash = START;
  let length = 0;
  for (let at = 0; at < words.length; at += 1) {
    const character = words.charCodeAt(at);
    if (character === SPACE) {
      hash = START;
      length = 0;
      continue;
    }
    length += 1;
    if (length > LONGEST) continue;
    hash = next(hash, character);
    let slice = mixed(hash);
    const step = mixed(hash ^ OTHER);
    for (let bit = 0; bit < BITS; bit += 1) {
      const index = ((slice >>> 0) % count) * width + byte;
      bits[index] = bits[index]! | mask;
      slice += step;
    }
  }
}

const SPACE = 32;
const START = 0x811c9dc5 | 0;
const OTHER = 0x5bd1e995;

/** FNV-1a. */
const next = (hash: number, character: number): number => Math.imul(hash ^ character, 0x01000193);

/** The last step of MurmurHash3, so that similar beginnings get distant bits. */
function mixed(hash: number): number {
  let mix = hash;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return mix ^ (mix >>> 16);
}
