/** The data folder belongs to its owner alone, whatever the umask says and whoever made the folder. */
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS = 0o077;

/**
 * Makes the folder where there is none, and takes what others may do with it and with what lies directly in it. A mount
 * that belongs to somebody else, as a volume in Kubernetes does, stays as it is; `recado doctor` names it.
 */
export function preparePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  makePrivate(folder);
  for (const name of readdirSync(folder)) makePrivate(join(folder, name));
}

/** SQLite would make it readable to all, and gives its log and index the same mode. */
export function createPrivateFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
}

/** Names of what others may look into, the folder itself as `.`. */
export function openToOthers(folder: string): readonly string[] {
  return ['.', ...readdirSync(folder)].filter((name) => {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    return found !== undefined && (found.mode & OTHERS) !== 0;
  });
}

function makePrivate(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || (found.mode & OTHERS) === 0 || found.uid !== process.getuid?.()) return;
  // The bits of the owner stay as they are: a folder that was made read-only is not opened by this.
  chmodSync(path, found.mode & 0o700);
}
