/** Ensures that only one process uses a data folder. */
import { Database } from './driver.js';
import { join } from 'node:path';
import { createPrivateFile } from './private-files.js';

/** The folder is in use by another process. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
}

/**
 * Holds an exclusive transaction on a separate file until the returned function is called. The operating system drops
 * the lock with the process, however it ends, so nothing has to be cleaned up after a crash.
 *
 * @throws DataFolderInUse
 */
export function lockFolder(dataDir: string): () => void {
  const path = join(dataDir, 'lock.db');
  createPrivateFile(path);
  const db = new Database(path, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new DataFolderInUse(
        `The data folder ${dataDir} is in use by another Recado process. Stop that process, or start this one ` +
          'with another DATA_DIR. To run several processes on one history, use EventStoreDB, MongoDB and Kafka.',
      );
    }
    throw error;
  }
  return () => db.close();
}
