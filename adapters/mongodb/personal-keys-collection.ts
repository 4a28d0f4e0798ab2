/** The collection of personal keys, for the two ports that use it. Keys in it are sealed under the master key. */
import { randomBytes } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { keyIdOf } from '../../ports/personal-keys.js';
import type { SecretBox } from '../../ports/secret-box.js';

export interface KeyDocument {
  /** Subject and generation: when two processes create the same generation, one of them is refused. */
  readonly _id: string;
  readonly subject: string;
  readonly generation: number;
  readonly company: string;
  readonly created_at: string;
  readonly sealed_key: string;
  /** Set only from the mark until the key is overwritten. */
  readonly doomed_at?: string;
  readonly destroyed_at?: string;
}

/** Live keys. Null also matches a missing field. */
export const LIVE = { doomed_at: null, destroyed_at: null } as unknown as Partial<KeyDocument>;

/** A key that was read or written is known to a majority. */
export const personalKeysOf = (db: Db): Collection<KeyDocument> =>
  db.collection('personal_keys', {
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
  });

const context = (keyId: string): string => `personal-key:${keyId}`;

/** A key drawn now, as it is stored. @param createdAt epoch milliseconds */
export function sealedKey(
  secretBox: Pick<SecretBox, 'seal'>,
  {
    subject,
    company,
    generation,
    createdAt,
  }: Pick<KeyDocument, 'subject' | 'company' | 'generation'> & { readonly createdAt: number },
): KeyDocument {
  const keyId = keyIdOf(subject, generation);
  const created_at = new Date(createdAt).toISOString();
  const sealed_key = secretBox.seal(randomBytes(32).toString('base64'), context(keyId));
  return { _id: keyId, subject, generation, company, created_at, sealed_key };
}

/** Returns a copy: a small buffer of Node's is a slice of 8 KiB, all of which it keeps from being collected. */
export const unsealedKey = (
  secretBox: Pick<SecretBox, 'open'>,
  { _id, sealed_key }: Pick<KeyDocument, '_id' | 'sealed_key'>,
): Uint8Array => new Uint8Array(Buffer.from(secretBox.open(sealed_key, context(_id)), 'base64'));
