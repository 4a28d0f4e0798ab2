/** Blobs in a folder: `<dir>/ab/cd/<sha-256>`, so that no folder gets too large for the file system. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../../ports/thrown.js';
import type { BlobInfo, Blobs, ByteRange } from '../../ports/blobs.js';
import { assertIntact, sha256, shardedPath } from './content.js';

export function createFolderBlobs(dir: string): Blobs {
  // Paths are made from hashes only; no blob is stored under any other text.
  const pathOf = (hash: string): string | undefined => {
    const parts = shardedPath(hash);
    return parts && join(dir, ...parts);
  };

  async function has(hash: string): Promise<boolean> {
    const path = pathOf(hash);
    return path !== undefined && (await unlessAbsent(stat(path))) !== undefined;
  }

  return {
    has,
    async put(bytes): Promise<BlobInfo> {
      const hash = sha256(bytes);
      const info = { hash, size: bytes.length };
      const path = pathOf(hash)!;
      if (await has(hash)) return info;
      const folder = dirname(path);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Written to a temporary file and renamed, so that a crash never leaves half a blob under its final name.
      const temporary = `${path}.${randomUUID()}.tmp`;
      try {
        const file = await open(temporary, 'wx', 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      for (const parent of [folder, dirname(folder), dir]) await syncFolder(parent);
      return info;
    },

    /** @throws BlobDamaged when the bytes on disk are no longer those that were put */
    async get(hash) {
      const path = pathOf(hash);
      if (path === undefined) return undefined;
      const bytes = await unlessAbsent(readFile(path));
      if (bytes === undefined) return undefined;
      assertIntact(hash, bytes);
      return bytes;
    },

    async read(hash, range) {
      const path = pathOf(hash);
      return path !== undefined && (await has(hash)) ? pieces(path, range) : undefined;
    },

    async delete(hash) {
      const path = pathOf(hash);
      if (path !== undefined) await rm(path, { force: true });
    },
  };
}

async function* pieces(path: string, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  // A stream's end is inclusive, so an empty range can't be expressed.
  if (end > start) yield* createReadStream(path, { start, end: end - 1 });
}

async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A new name is durable only after its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
