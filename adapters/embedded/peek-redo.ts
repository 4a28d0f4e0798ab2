/** What a stopped server left in its redo log, read without changing anything. */
import { Database } from './driver.js';
import { piecesOf } from './redo-file.js';
import { REDO_SINCE } from './schema.js';
import { lifeOf, redoPath } from './redo-life.js';

/**
 * The number of transactions that the next start will apply to the database. Only while no server has the folder open: a
 * running one writes the log.
 * @throws RedoDamaged; SQLite's errors
 */
export function waitingInRedoLog(path: string): number {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    if (Number(db.pragma('user_version', { simple: true })) < REDO_SINCE) return 0;
    return piecesOf(redoPath(path), lifeOf(db)).length;
  } finally {
    db.close();
  }
}
