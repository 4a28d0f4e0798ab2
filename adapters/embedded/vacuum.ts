/**
 * Files of releases before schema 5 still contain deleted data, in free pages and in unused parts of others. The first
 * start of a release that overwrites deleted data runs VACUUM once, which writes the file anew without them.
 *
 * It is one transaction: if the process is killed, the file stays as it was, and the next start repeats it.
 */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../../ports/thrown.js';
import { Database, type Db } from './driver.js';
import { freeBytesNow } from './disk.js';
import type { Logger } from '../../ports/logger.js';
import { answerTask, runTask } from './task-process.js';

const TASK = 'vacuum';
const UPKEEP = 'vacuumed';
/** Space that must remain free on the disk: a full disk would stop the store itself. */
const SPARE_BYTES = 64 * 1024 * 1024;

export interface VacuumOptions {
  readonly allowed: boolean;
  readonly logger: Logger;
  /** For tests. */
  readonly freeBytes?: (folder: string) => number;
}

/** A sentence about why the VACUUM is still pending; null when the file needs none. */
export async function vacuumOnce(db: Db, path: string, options: VacuumOptions): Promise<string | null> {
  if (!needsVacuum(db)) return null;
  if (!options.allowed) return 'UPGRADE_VACUUM=off postpones it.';
  const folder = dirname(path);
  const bytes = statSync(path).size;
  // The new file is first written beside the old one, and then a second time, through the log.
  const needed = 2 * bytes + SPARE_BYTES;
  const free = (options.freeBytes ?? freeBytesNow)(folder);
  if (free < needed) {
    const why = `It needs ${megabytes(needed)} free on the disk of ${folder}, which has ${megabytes(free)}.`;
    options.logger.warn({ needed, free }, `the database could not be vacuumed. ${why}`);
    return why;
  }
  options.logger.info({ bytes }, 'the database is written anew once, without what was deleted from it');
  try {
    // SQLite's temporary files go to this folder: the default one may be small, or in memory.
    await runTask(fileURLToPath(import.meta.url), TASK, path, { SQLITE_TMPDIR: folder });
  } catch (error) {
    const why = `It failed: ${messageOf(error)}.`;
    options.logger.error({ err: error }, 'the database could not be vacuumed; the next start tries again');
    return why;
  }
  noteVacuumed(db);
  options.logger.info({ bytes: statSync(path).size }, 'the database was written anew');
  return null;
}

/** Also called for a file that this release has created: it contains nothing to remove. */
export const noteVacuumed = (db: Db): void =>
  void db.prepare('INSERT INTO upkeep (task) VALUES (?) ON CONFLICT DO NOTHING').run(UPKEEP);

/** Also works on a file that this release has not opened yet. */
export function needsVacuum(db: Db): boolean {
  const known = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'upkeep'").get();
  return known === undefined || db.prepare('SELECT 1 FROM upkeep WHERE task = ?').get(UPKEEP) === undefined;
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`;

answerTask(TASK, (path) => {
  const db = new Database(path, { fileMustExist: true });
  try {
    db.pragma('synchronous = FULL');
    db.pragma('secure_delete = ON');
    db.pragma('temp_store = FILE');
    db.exec('VACUUM');
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
});
