/** Content addressing: what every Blobs adapter shares. */
import { createHash } from 'node:crypto';

const HASH = /^[0-9a-f]{64}$/;

/** The stored bytes no longer have the hash that they are stored under. */
export class BlobDamaged extends Error {
  override readonly name = 'BlobDamaged';
}

/** Lower-case hex SHA-256. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Two levels deep, so that no folder gets too large for the file system and no key prefix takes all of a bucket's
 * traffic: `['ab', 'cd', '<hash>']`. Undefined when the text is not a hash: nothing can be stored under it.
 */
export function shardedPath(hash: string): readonly [string, string, string] | undefined {
  return HASH.test(hash) ? [hash.slice(0, 2), hash.slice(2, 4), hash] : undefined;
}

/** @throws BlobDamaged */
export function assertIntact(hash: string, bytes: Uint8Array): void {
  if (sha256(bytes) !== hash) throw new BlobDamaged(`blob ${hash} does not have the hash it is stored under`);
}
