/** File sizes and free disk space, in bytes; names and content that outlive a power cut. */
import { closeSync, fdatasyncSync, fsyncSync, openSync, statfsSync, statSync, writeSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemClock } from '../clock/system.js';

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

export function writeAt(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(file, bytes, done, bytes.length - done, at + done);
}

/**
 * @param syncs a write of this descriptor does not wait for the disk
 * @returns the milliseconds that it took
 */
export function writeDurably(file: number, syncs: boolean, bytes: Uint8Array, at: number): number {
  const begun = systemClock.monotonic();
  writeAt(file, bytes, at);
  if (syncs) fdatasyncSync(file);
  return systemClock.monotonic() - begun;
}
