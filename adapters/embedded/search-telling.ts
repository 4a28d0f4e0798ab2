/**
 * Which documents of a block may have all the beginnings that are looked for: the and of their slices. A search spends
 * its time on pages of the file, one for each slice and one for each document that it looks at. So it asks for the slices
 * that are likely to leave the fewest documents, and stops when the next one would spare less than one look.
 *
 * How many documents have a beginning is not on record. The slices tell: none has fewer bits than there are documents
 * with the beginning. What they told of one block is used for the next, so the words that nearly all have (`example` of
 * an e-mail) are asked for once.
 */
import { BITS, DENSITY, slicesOf } from './search-signature.js';

/** Of one search. */
export interface Telling {
  /**
   * A bit for each document of a block that may be meant, bit n & 7 of byte n >> 3; undefined when there is none. Some are
   * there by chance, none is missing.
   * @param slice undefined when no document has its bit set; its bytes are overwritten
   */
  meant(
    block: { readonly used: number; readonly slices: number },
    slice: (number: number) => Uint8Array | undefined,
  ): Uint8Array | undefined;
}

/** Documents that are looked at for nothing rather than told apart by another slice. */
const FEW = 1;
/** Up to so many left are taken to be like all others, which is wrong where beginnings don't go together. */
const MANY = 16;

interface Term {
  readonly beginning: string;
  /** Share of the documents with their bit in the emptiest of its slices so far. */
  density: number;
  /** How many slices have. One may be full for the sake of another word, not as many as a beginning has. */
  told: number;
}

/** A term in a block. */
interface Asking {
  readonly term: Term;
  readonly slices: readonly number[];
  /** How many of the slices. */
  asked: number;
  /** Share of the documents without the beginning that have their bit in all of these by chance. */
  chance: number;
}

export function createTelling(beginnings: readonly string[]): Telling {
  const terms = beginnings.map((beginning): Term => ({ beginning, density: 1, told: 0 }));
  /** Share of the documents that have a bit by chance. */
  let noise = DENSITY;
  return {
    meant({ used, slices }, slice) {
      const asking = terms.map((term) => askingOf(term, slices));
      let meant: Uint32Array | undefined;
      let left = used;
      for (;;) {
        const next = mostTelling(asking, noise, used, left) ?? (meant ? undefined : asking[0]);
        if (!next) break;
        const bytes = slice(next.slices[next.asked]!);
        if (!bytes) return undefined;
        const words = wordsOf(bytes);
        const density = bitsIn(words) / (bytes.length * 8);
        noise = Math.min(noise, density);
        learn(next, density, noise);
        if (meant) for (let at = 0; at < words.length; at += 1) meant[at]! &= words[at]!;
        else meant = words;
        left = bitsIn(meant);
        if (left === 0) return undefined;
      }
      return meant && new Uint8Array(meant.buffer, meant.byteOffset, meant.byteLength);
    },
  };
}

/**
 * Who has a beginning has the one that is a character shorter too. Its slices help out where the beginning shares some of
 * its own with a word that all have.
 */
function askingOf(term: Term, count: number): Asking {
  const shorter = term.beginning.slice(0, -1);
  const slices = [...slicesOf(term.beginning, count), ...(shorter === '' ? [] : slicesOf(shorter, count))];
  return { term, slices, asked: 0, chance: 1 };
}

/** The term that the fewest of those left are likely to have, of equals the one asked least; undefined: look at them. */
function mostTelling(
  asking: readonly Asking[],
  noise: number,
  used: number,
  left: number,
): Asking | undefined {
  let best: Asking | undefined;
  let most = 0;
  for (const one of asking) {
    if (one.asked === one.slices.length) continue;
    const { told } = one.term;
    const share = shareOf(one.term, noise);
    const [have, lack] = [used * share, used * (1 - share) * one.chance];
    const likely = lack / (have + lack);
    const spared = left <= MANY ? Math.min(lack, left * likely) : told < BITS ? left : Math.min(lack, left);
    if (spared <= FEW) continue;
    if (best && (likely < most || (likely === most && one.asked >= best.asked))) continue;
    [best, most] = [one, likely];
  }
  return best;
}

/** From the next one of its slices, which has so many of its bits set: those who have the beginning, others by chance. */
function learn(asking: Asking, density: number, noise: number): void {
  const { term } = asking;
  term.density = Math.min(term.density, density);
  term.told += 1;
  asking.asked += 1;
  const share = shareOf(term, noise);
  if (share < 1) asking.chance *= (density - share) / (1 - share);
}

/** Share of the documents that have it, at the most. */
const shareOf = ({ density, told }: Term, noise: number): number =>
  told === 0 ? 0 : (density - noise) / (1 - noise);

/** As words of 32 bits, for the sake of speed; which byte of a word comes first does not matter to an and. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  if (bytes.byteOffset % 4 === 0 && bytes.length % 4 === 0) {
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }
  const words = new Uint32Array(Math.ceil(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes);
  return words;
}

function bitsIn(words: Uint32Array): number {
  let sum = 0;
  for (let at = 0; at < words.length; at += 1) {
    let word = words[at]!;
    if (word === 0) continue;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    sum += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return sum;
}
