/** Ensures that only the owner can access the data folder, independent of the umask and of how the folder was made. */
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS = 0o077;

/**
 * Creates the folder when it is missing, and removes the permissions of others from it and from the files directly in
 * it. A mount that belongs to another user, such as a volume in Kubernetes, stays as it is; `recado doctor` reports it.
 */
export function preparePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  makePrivate(folder);
  for (const name of readdirSync(folder)) makePrivate(join(folder, name));
}

/** SQLite would create the file readable by everybody, and gives its log and index the mode of the file. */
export function createPrivateFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
}

/** Names of entries that other users may access; the folder itself is `.`. */
export function openToOthers(folder: string): readonly string[] {
  return ['.', ...readdirSync(folder)].filter((name) => {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    return found !== undefined && (found.mode & OTHERS) !== 0;
  });
}

function makePrivate(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || (found.mode & OTHERS) === 0 || found.uid !== process.getuid?.()) return;
  // The owner's bits stay as they are: a read-only folder does not become writable.
  chmodSync(path, found.mode & 0o700);
}
