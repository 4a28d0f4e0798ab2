/**
 * Seeded random numbers. A value for a message is derived from the message's number, so it does not depend on timing.
 */
import { createHash } from 'node:crypto';

export interface Chance {
  /** The next number of the sequence, 0 ≤ x < 1. */
  next(): number;
  between(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  /** A number derived from the names, 0 ≤ x < 1: the same names always give the same number. */
  of(...names: readonly (string | number)[]): number;
}

export function createChance(seed: string): Chance {
  const of = (...names: readonly (string | number)[]): number =>
    createHash('sha256')
      .update(JSON.stringify([seed, ...names]))
      .digest()
      .readUInt32BE(0) /
    2 ** 32;
  let drawn = 0;
  const next = (): number => of('sequence', drawn++);
  const between = (low: number, high: number): number => low + next() * (high - low);
  return {
    next,
    between,
    of,
    pick: (list) => list[Math.floor(next() * list.length)]!,
  };
}
