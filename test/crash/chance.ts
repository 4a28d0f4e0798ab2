/** Seeded chance. What depends on a message is drawn from its number, so that it does not depend on timing. */
import { createHash } from 'node:crypto';

export interface Chance {
  /** 0 ≤ x < 1, the next of the sequence. */
  next(): number;
  between(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  /** 0 ≤ x < 1, the same for the same names whenever it is asked. */
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
