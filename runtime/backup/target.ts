/** The file that a backup is written to: in the folder for backups, and not over anything. */
import { existsSync, mkdirSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { BackupFailed } from '../../adapters/embedded/backup.js';
import type { Embedded } from '../../adapters/embedded/open.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { codeOf } from '../../ports/thrown.js';
import { blobsOf, isUnfinished, manifestOf, removeUnfinished } from './files.js';

export interface TargetDeps {
  readonly embedded: Pick<Embedded, 'refuseBackup'>;
  /** The only folder for backups: otherwise a caller of the API could write anywhere on the machine. */
  readonly folder: string;
}

/**
 * @param asked the name that the caller wants; undefined: one with the time
 * @throws Refusal backup_target_unusable
 */
export function targetOf({ embedded, folder }: TargetDeps, asked: string | undefined, now: string): string {
  try {
    const file = nameOf(folder, asked, now);
    // Left by a server that was killed: none of it is a backup.
    if (isUnfinished(file)) removeUnfinished(file);
    const beside = [manifestOf(file), blobsOf(file)].find((path) => existsSync(path));
    if (beside !== undefined) {
      throw new BackupFailed(`${beside} exists. A backup never overwrites: choose another name.`);
    }
    embedded.refuseBackup(file);
    return file;
  } catch (error) {
    if (error instanceof BackupFailed) throw unusable(error.message, asked ?? folder);
    const code = codeOf(error);
    if (code === undefined || error instanceof Refusal) throw error;
    throw unusable(`The folder ${folder} can not be made (${code}). Set BACKUP_DIR to another one.`, folder);
  }
}

function nameOf(folder: string, asked: string | undefined, now: string): string {
  if (asked === undefined) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return join(folder, `recado-${now.replace(/\.\d+|[:-]/g, '')}.db`);
  }
  const file = resolve(asked);
  if (!isAbsolute(asked))
    throw unusable('Name the file by its whole path on the machine of the server.', file);
  if (!isBelow(folder, file)) {
    throw unusable(
      `Backups go into ${folder} and nowhere else. Name a file in it, or set BACKUP_DIR to another folder and start the server again.`,
      file,
    );
  }
  return file;
}

const unusable = (message: string, file: string): Refusal =>
  new Refusal('backup_target_unusable', message, { file });

function isBelow(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
