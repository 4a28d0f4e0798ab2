/** File sizes and free disk space, in bytes. */
import { statfsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

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
