/**
 * Finds the candidates of a search in a block: documents that may have all requested word beginnings. They are the and
 * of the slices of these beginnings. A search spends its time on pages of the file: one for each slice, and one for
 * each document that it reads. So it reads the slices that are likely to leave the fewest candidates. It stops when the
 * next slice would save less than reading one document.
 *
 * The number of documents with a beginning is not stored. Slices limit it: each slice of a beginning has at least as
 * many bits set as there are documents with the beginning. Limits learned in one block are used for the next one. So
 * beginnings that nearly all documents have (`example` of an e-mail) are read only once.
 */
import { BITS, DENSITY, slicesOf } from './search-signature.js';

/** State of one search. */
export interface CandidateFilter {
  /**
   * The candidates of a block: bit n & 7 of byte n >> 3 belongs to document n. Undefined when there are no candidates.
   * Some match by chance; no match is missing.
   * @param slice undefined when no document has its bit set; its bytes are overwritten
   */
  candidates(
    block: { readonly used: number; readonly slices: number },
    slice: (number: number) => Uint8Array | undefined,
  ): Uint8Array | undefined;
}

/** Up to this many false candidates are cheaper to read than another slice. */
const FEW = 1;
/**
 * With up to this many candidates left, a beginning is assumed to be as frequent among them as in the whole block. That
 * is wrong for beginnings that rarely occur together.
 */
const MANY = 16;

interface Term {
  readonly beginning: string;
  /** Share of documents with their bit set, in the emptiest of its slices read so far. */
  density: number;
  /**
   * Number of its slices read so far. One may be full because of another word, but hardly all of a beginning's slices.
   */
  slicesRead: number;
}

/** A term in one block. */
interface Asking {
  readonly term: Term;
  readonly slices: readonly number[];
  /** Number of these slices read so far. */
  asked: number;
  /** Share of documents without the beginning whose bit is set by chance in all slices read so far. */
  chance: number;
}

export function createCandidateFilter(beginnings: readonly string[]): CandidateFilter {
  const terms = beginnings.map((beginning): Term => ({ beginning, density: 1, slicesRead: 0 }));
  /** Share of documents that have a bit set by chance. */
  let noise = DENSITY;
  return {
    candidates({ used, slices }, slice) {
      const asking = terms.map((term) => askingOf(term, slices));
      let candidates: Uint32Array | undefined;
      let left = used;
      for (;;) {
        const next = mostSelective(asking, noise, used, left) ?? (candidates ? undefined : asking[0]);
        if (!next) break;
        const bytes = slice(next.slices[next.asked]!);
        if (!bytes) return undefined;
        const words = wordsOf(bytes);
        const density = bitsIn(words) / (bytes.length * 8);
        noise = Math.min(noise, density);
        learn(next, density, noise);
        if (candidates) for (let at = 0; at < words.length; at += 1) candidates[at]! &= words[at]!;
        else candidates = words;
        left = bitsIn(candidates);
        if (left === 0) return undefined;
      }
      return candidates && new Uint8Array(candidates.buffer, candidates.byteOffset, candidates.byteLength);
    },
  };
}

/**
 * Every document with a beginning also has the beginning that is one character shorter. Its slices help when the
 * beginning itself shares slices with a word that all documents have.
 */
function askingOf(term: Term, count: number): Asking {
  const shorter = term.beginning.slice(0, -1);
  const slices = [...slicesOf(term.beginning, count), ...(shorter === '' ? [] : slicesOf(shorter, count))];
  return { term, slices, asked: 0, chance: 1 };
}

/**
 * The most selective term; ties go to the one with the fewest slices read. Undefined: reading the candidates is
 * cheaper.
 */
function mostSelective(
  asking: readonly Asking[],
  noise: number,
  used: number,
  left: number,
): Asking | undefined {
  let best: Asking | undefined;
  let most = 0;
  for (const one of asking) {
    if (one.asked === one.slices.length) continue;
    const { slicesRead } = one.term;
    const share = shareOf(one.term, noise);
    const [have, lack] = [used * share, used * (1 - share) * one.chance];
    const likely = lack / (have + lack);
    const spared =
      left <= MANY ? Math.min(lack, left * likely) : slicesRead < BITS ? left : Math.min(lack, left);
    if (spared <= FEW) continue;
    if (best && (likely < most || (likely === most && one.asked >= best.asked))) continue;
    [best, most] = [one, likely];
  }
  return best;
}

/**
 * Updates the term after its next slice was read. `density` is the share of bits set in it: by documents with the
 * beginning, and by chance.
 */
function learn(asking: Asking, density: number, noise: number): void {
  const { term } = asking;
  term.density = Math.min(term.density, density);
  term.slicesRead += 1;
  asking.asked += 1;
  const share = shareOf(term, noise);
  if (share < 1) asking.chance *= (density - share) / (1 - share);
}

/** Largest possible share of documents with the beginning; 0 while none of its slices was read. */
const shareOf = ({ density, slicesRead }: Term, noise: number): number =>
  slicesRead === 0 ? 0 : (density - noise) / (1 - noise);

/** As 32-bit words, for speed; the byte order does not matter for an and. */
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
