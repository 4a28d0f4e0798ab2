/** The free pairs that a caller attaches to a send, and finds it by. */
import { createHash } from 'node:crypto';
import { Refusal } from '../kernel/refusal.js';

/** At most 16 pairs; bounds of keys and values are those of the contract. */
export type Metadata = Readonly<Record<string, string>>;

const KEY = /^[a-z0-9_.-]{1,40}$/;

/** @throws Refusal validation_failed, which names each wrong key */
export function checkMetadata(metadata: Metadata): void {
  const wrong = Object.keys(metadata).filter((key) => !KEY.test(key));
  if (wrong.length === 0) return;
  throw new Refusal('validation_failed', 'The request is not valid: a key of metadata is not acceptable.', {
    fields: wrong.map((key) => ({
      path: `metadata.${key.slice(0, 60)}`,
      code: 'key_invalid',
      message: 'A key has 1 to 40 characters of a-z, 0-9, "_", "." and "-".',
    })),
  });
}

/** The word under which a pair is searched: equal pairs have equal words, all of one length. */
export const pairHash = (key: string, value: string): string =>
  createHash('sha256')
    .update(JSON.stringify([key, value]))
    .digest('hex')
    .slice(0, 32);
