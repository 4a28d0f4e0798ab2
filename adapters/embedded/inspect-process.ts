/**
 * `inspectFile` in a process of its own, so that a running server can have a file looked over: its thread would stand
 * still for seconds, and what the check reads would push everything else out of its memory.
 */
import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Database } from './driver.js';
import { inspectFile, type FileFacts } from './inspect.js';

interface Answer {
  readonly facts?: FileFacts;
  readonly error?: string;
}

const SELF = fileURLToPath(import.meta.url);
/** Tells the process that is to look a file over from everybody who imports this module. */
const TASK = 'seal-and-inspect';
const BEHIND_OTHERS = 10;

/**
 * Makes a copy that SQLite's backup has just written a file of its own (no write-ahead log), synced, and looks it over.
 * @throws Error with a sentence for the operator
 */
export function sealAndInspect(path: string): Promise<FileFacts> {
  return new Promise((resolve, reject) => {
    const child = fork(SELF, [TASK, path], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    child.once('message', (message) => {
      const { facts, error } = message as Answer;
      if (facts) resolve(facts);
      else reject(new Error(error ?? 'it could not be looked over'));
    });
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`the process that looks it over ended early (${signal ?? code})`)),
    );
  });
}

function answerFor(path: string): Answer {
  try {
    setPriority(BEHIND_OTHERS);
    seal(path);
    return { facts: inspectFile(path) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** The copy inherits WAL mode from its original: opened read-only it would need files beside it. */
function seal(path: string): void {
  const db = new Database(path);
  try {
    db.pragma('synchronous = FULL');
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}

const [, , task, path] = process.argv;
if (process.send && task === TASK && path !== undefined)
  process.send(answerFor(path), () => process.disconnect());
