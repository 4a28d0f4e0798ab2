/** Copies of the blob folder, for backups. A blob that an earlier copy has is linked, not copied again. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../../ports/thrown.js';
import { shardedPath } from './content.js';

export interface CopiedBlobs {
  /** Hash and size in bytes. */
  readonly files: readonly (readonly [string, number])[];
  readonly bytes: number;
  /** Hashes of blobs whose bytes no longer match: the disk has changed them. They are not copied. */
  readonly damaged: readonly string[];
}

/**
 * Copies every blob of `from` into `to`, which is created. Bytes are read and their hash is verified; a blob that
 * `before`, an earlier copy, has is hard-linked instead. Files that disappear meanwhile are left out: they were deleted
 * on purpose.
 *
 * @throws the file system's errors
 */
export async function copyBlobs(
  from: string,
  to: string,
  options: { readonly before?: string | undefined; readonly stopping?: (() => boolean) | undefined } = {},
): Promise<CopiedBlobs> {
  const files: [string, number][] = [];
  const damaged: string[] = [];
  let bytes = 0;
  await mkdir(to, { recursive: true, mode: 0o700 });
  for await (const hash of blobsIn(from)) {
    if (options.stopping?.()) throw new Error('the server is stopping');
    const parts = shardedPath(hash)!;
    const target = join(to, ...parts);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const size =
      (options.before === undefined ? undefined : await linked(join(options.before, ...parts), target)) ??
      (await copied(join(from, ...parts), target, hash));
    if (size === undefined) continue;
    if (size === DAMAGED) {
      damaged.push(hash);
      continue;
    }
    files.push([hash, size]);
    bytes += size;
  }
  return { files, bytes, damaged };
}

const DAMAGED = -1;

/** Stored hashes, in order. Empty when the folder does not exist. */
export async function* blobsIn(dir: string): AsyncGenerator<string> {
  for (const first of await names(dir)) {
    for (const second of await names(join(dir, first))) {
      for (const name of await names(join(dir, first, second))) {
        const parts = shardedPath(name);
        if (parts?.[0] === first && parts[1] === second) yield name;
      }
    }
  }
}

async function names(dir: string): Promise<readonly string[]> {
  try {
    return (await readdir(dir)).sort();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return [];
    throw error;
  }
}

/** Size of the linked file; undefined when it has to be copied. */
async function linked(before: string, target: string): Promise<number | undefined> {
  try {
    await link(before, target);
    return (await stat(target)).size;
  } catch {
    // Not there, or on a disk that does not support links.
    return undefined;
  }
}

/** Size of the copied file; undefined when the source has disappeared, DAMAGED when its bytes do not match its name. */
async function copied(from: string, target: string, hash: string): Promise<number | undefined> {
  const digest = createHash('sha256');
  let size = 0;
  const file = await open(target, 'wx', 0o600);
  try {
    const chunks: AsyncIterable<Buffer> = createReadStream(from);
    for await (const chunk of chunks) {
      digest.update(chunk);
      size += chunk.length;
      await file.writeFile(chunk);
    }
    await file.sync();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    await rm(target, { force: true });
    return undefined;
  } finally {
    await file.close();
  }
  if (digest.digest('hex') === hash) return size;
  await rm(target, { force: true });
  return DAMAGED;
}
