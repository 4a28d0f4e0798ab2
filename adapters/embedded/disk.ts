/** Room on the disk that a folder lies on, in bytes. */
import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

interface Blocks {
  readonly bavail: number;
  readonly bsize: number;
}

const free = ({ bavail, bsize }: Blocks): number => bavail * bsize;

export const freeBytes = async (folder: string): Promise<number> => free(await statfs(folder));
export const freeBytesNow = (folder: string): number => free(statfsSync(folder));
