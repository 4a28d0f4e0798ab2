/** Writes files so that an interrupted command leaves no damage. */
import { EXIT, Failure } from './failure.js';
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';

/** Writes the file as a whole or not at all; it is on the disk when this returns. */
export function writeWhole(file: string, content: object): void {
  const fd = openSync(`${file}.new`, 'w', 0o600);
  try {
    writeSync(fd, `${JSON.stringify(content, null, 2)}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(`${file}.new`, file);
}

/** Explains a disk that is full, missing or not writable; null for any other error. */
export function diskFailure(error: unknown, folder: string): Failure | null {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || code === undefined || syscall === undefined) return null;
  const next =
    code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'
      ? 'Free space there, then repeat the command with --resume: what has been written is kept.'
      : 'Check the folder and its disk, then repeat the command with --resume.';
  return new Failure(EXIT.failed, `${folder} can't be written: ${error.message}.`, next);
}

/** One system call may write only a part. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
}
