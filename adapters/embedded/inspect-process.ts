/**
 * Runs `inspectFile` in a process of its own, so that a running server can have a file verified. The pages that the
 * check reads would evict everything else from the server's memory.
 */
import { fileURLToPath } from 'node:url';
import { Database } from './driver.js';
import { inspectFile, type FileFacts } from './inspect.js';
import { answerTask, runTask } from './task-process.js';

const TASK = 'seal-and-inspect';

/**
 * Makes a copy that SQLite's backup has just written a self-contained file (no write-ahead log), syncs and verifies it.
 * @throws Error with a sentence for the operator
 */
export const sealAndInspect = (path: string): Promise<FileFacts> =>
  runTask<FileFacts>(fileURLToPath(import.meta.url), TASK, path);

/** The copy inherits WAL mode from its original: a read-only connection to it would need files beside it. */
function seal(path: string): void {
  const db = new Database(path);
  try {
    db.pragma('secure_delete = ON');
    db.pragma('synchronous = FULL');
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}

answerTask(TASK, (path) => {
  seal(path);
  return inspectFile(path);
});
