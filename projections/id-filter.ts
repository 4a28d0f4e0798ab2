/**
 * A set of ids in a fixed amount of memory. "Not in the set" is certain; "in the set" is sometimes wrong (Bloom,
 * Space/time trade-offs in hash coding with allowable errors, 1970).
 */

export interface IdSet {
  add(id: string): void;
  /** True for every added id, and falsely for one in a few hundred others when a million ids were added. */
  mayHave(id: string): boolean;
}

export interface IdFilter {
  /** The ids of one kind. Equal ids of different kinds are distinct. */
  of(kind: string): IdSet;
}

/** 2 MiB. */
const BITS = 2 ** 24;
const PROBES = 3;

export function createIdFilter(): IdFilter {
  let bits: Uint8Array | undefined;
  return {
    of(kind) {
      const seed = hashed(kind, 0x811c9dc5);
      return {
        add(id) {
          bits ??= new Uint8Array(BITS / 8);
          const first = hashed(id, seed);
          const step = hashed(id, first) | 1;
          for (let nth = 0; nth < PROBES; nth += 1) {
            const bit = probe(first, step, nth);
            bits[bit >> 3]! |= 1 << (bit & 7);
          }
        },
        mayHave(id) {
          if (bits === undefined) return false;
          const first = hashed(id, seed);
          const step = hashed(id, first) | 1;
          for (let nth = 0; nth < PROBES; nth += 1) {
            const bit = probe(first, step, nth);
            if ((bits[bit >> 3]! & (1 << (bit & 7))) === 0) return false;
          }
          return true;
        },
      };
    },
  };
}

const probe = (first: number, step: number, nth: number): number =>
  ((first + Math.imul(nth, step)) >>> 0) % BITS;

/** FNV-1a with the final mix of MurmurHash3: nearly equal ids get bits far apart. */
function hashed(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
