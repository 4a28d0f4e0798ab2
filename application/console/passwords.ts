/** Passwords of people: scrypt, its parameters kept beside each hash, so that later releases can raise them. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../domain/kernel/refusal.js';
import { serialize } from '../serialize.js';

export interface HashCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

export type PasswordHash = HashCost & {
  /** Both in base64. */
  readonly salt: string;
  readonly hash: string;
};

/** 32 MiB and some tenths of a second. */
export const HASH_COST: HashCost = { n: 2 ** 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** They are made one at a time, so that guessers leave memory and threads to everybody else. */
const MOST_WAITING = 50;

export interface Passwords {
  hash(password: string): Promise<PasswordHash>;
  /** @param stored null: takes as long as a real one, and is false. @throws Refusal sign_in_slowed */
  isRight(password: string, stored: PasswordHash | null): Promise<boolean>;
}

export function createPasswords(cost: HashCost = HASH_COST): Passwords {
  const lane = {};
  let waiting = 0;

  async function derive(password: string, salt: Buffer, { n, r, p }: HashCost): Promise<Buffer> {
    if (waiting >= MOST_WAITING) throw slowed(1);
    waiting += 1;
    try {
      return await serialize(lane, 'hash', () => derived(password, salt, { n, r, p }));
    } finally {
      waiting -= 1;
    }
  }

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const hash = await derive(password, salt, cost);
      return { ...cost, salt: salt.toString('base64'), hash: hash.toString('base64') };
    },
    async isRight(password, stored) {
      if (stored === null) {
        await derive(password, randomBytes(SALT_BYTES), cost);
        return false;
      }
      const hash = await derive(password, Buffer.from(stored.salt, 'base64'), stored);
      return timingSafeEqual(hash, Buffer.from(stored.hash, 'base64'));
    },
  };
}

export const slowed = (seconds: number): Refusal =>
  new Refusal('sign_in_slowed', `Too many attempts. Try again in ${seconds} seconds.`, {
    retry_after_seconds: seconds,
  });

/** The same letters may be typed in several ways. */
const derived = (password: string, salt: Buffer, { n, r, p }: HashCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { N: n, r, p, maxmem: 256 * n * r };
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
