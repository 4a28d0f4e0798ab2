/** File sizes and free disk space, in bytes; names that outlive a power cut. */
import { closeSync, fsyncSync, openSync, statfsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

interface Blocks {
  readonly bavail: number;
  readonly bsize: number;
}

const free = ({ bavail, bsize }: Blocks): number => bavail * bsize;

export const freeBytes = async (folder: string): Promise<number> => free(await statfs(folder));
export const freeBytesNow = (folder: string): number => free(statfsSync(folder));

/** Size of a database's write-ahead log; 0 when it does not exist. */
export const logBytes = (path: string): number =>
  statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** A new name is durable only after its folder is synced. */
export function syncFolderOf(path: string): void {
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
