/** Bytes under their own hash: what every Blobs adapter shares. */
import { createHash } from 'node:crypto';

const HASH = /^[0-9a-f]{64}$/;

/** What is stored under a hash no longer has it. */
export class BlobDamaged extends Error {
  override readonly name = 'BlobDamaged';
}

/** Lower-case hex SHA-256. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Two levels deep, so that no folder grows beyond what file systems like and no key prefix takes all of a bucket's
 * traffic: `['ab', 'cd', '<hash>']`. Undefined for what is no hash: nothing can be stored under it.
 */
export function shardedPath(hash: string): readonly [string, string, string] | undefined {
  return HASH.test(hash) ? [hash.slice(0, 2), hash.slice(2, 4), hash] : undefined;
}

/** @throws BlobDamaged */
export function assertIntact(hash: string, bytes: Uint8Array): void {
  if (sha256(bytes) !== hash) throw new BlobDamaged(`blob ${hash} does not have the hash it is stored under`);
}
