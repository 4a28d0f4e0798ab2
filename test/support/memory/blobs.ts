/** The blobs port over a map. */
import { createHash } from 'node:crypto';
import type { Blobs } from '../../../ports/blobs.js';

export interface MemoryBlobs extends Blobs {
  /** Hashes of the stored blobs. */
  kept(): readonly string[];
}

export function memoryBlobs(): MemoryBlobs {
  const blobs = new Map<string, Uint8Array>();
  return {
    kept: () => [...blobs.keys()],
    async put(bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      blobs.set(hash, Uint8Array.from(bytes));
      return { hash, size: bytes.length };
    },
    get: async (hash) => blobs.get(hash),
    read: () => Promise.reject(new Error('not part of this stand-in')),
    has: async (hash) => blobs.has(hash),
    async delete(hash) {
      blobs.delete(hash);
    },
  };
}
