/**
 * Signatures of the words of many documents, cut into slices: slice n holds bit n of every document's signature. Each
 * beginning of each word sets a few bits that its hash tells, so the documents that may have a word with some beginning
 * are those that have all of these bits: a few slices, and-ed. Some are there by chance, so whoever asks looks at the
 * words themselves too; none is missing. (Bit-sliced signatures: Goodwin et al., BitFunnel, SIGIR 2017.)
 *
 * How many slices there are follows from how much there is to say, so that chance stays rare whatever the documents
 * hold. Signatures say nothing of a person: what is erased from the words need not be taken out of them.
 */

/** Bits for each beginning of a word. */
export const BITS = 5;
/** Share of the bits that are set. With BITS it makes one document in a few thousand come by chance. */
export const DENSITY = 0.16;
/** Words that all have take up their slices whole; where there is little else to say, that is much of it. */
const MIN_SLICES = 1_024;
const MAX_SLICES = 32_768;
/** Longer beginnings are told from each other by the words alone. */
const LONGEST = 32;

/** For a number of documents with so many characters of words. */
export const sliceCount = (characters: number, documents: number): number =>
  Math.min(MAX_SLICES, Math.max(MIN_SLICES, Math.ceil((characters / documents) * (BITS / DENSITY))));

/** Slices of which every document that has a word with this beginning has its bit set. */
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
 * @param words each with a space in front
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

/** The last step of MurmurHash3: close beginnings get bits far apart. */
function mixed(hash: number): number {
  let mix = hash;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return mix ^ (mix >>> 16);
}
