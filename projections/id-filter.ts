/**
 * Which ids were added, in a fixed piece of memory: "not this one" is certain, "this one" now and then a mistake (Bloom,
 * Space/time trade-offs in hash coding with allowable errors, 1970).
 */

export interface IdSet {
  add(id: string): void;
  /** True for all that were added, and for one in a few hundred others at a million of them. */
  mayHave(id: string): boolean;
}

export interface IdFilter {
  /** The ids of one kind: the same id of another kind is another one. */
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

/** FNV-1a, with the last step of MurmurHash3: ids that are nearly the same get bits far apart. */
function hashed(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
