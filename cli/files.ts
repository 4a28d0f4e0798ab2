/** Files that a command may be interrupted in the middle of. */
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';

/** As a whole or not at all, and on the disk when this returns. */
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

/** One call of the system may take only a part. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
}
