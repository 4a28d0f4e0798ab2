/**
 * Copies the write-ahead log into the database in a thread of its own. In the server's thread, each copy would block
 * requests for as long as the disk takes. SQLite lets one connection copy while another one commits
 * (sqlite.org/wal.html).
 */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { driverName } from './driver.js';

/** Counts of pages in the log, as SQLite reports them. */
export interface LogPages {
  /** Since the log was last started over. */
  readonly log: number;
  /** Of these, how many are copied. */
  readonly checkpointed: number;
}

export interface LogCopier {
  /**
   * Copies until little is left, or until a reader of another process is in the way.
   * @throws Error when the thread ended
   */
  copy(): Promise<void>;
  /** Waits for a copy in progress. */
  close(): Promise<void>;
}

/** Plain JavaScript: a thread loads it as it is, also when this program runs from its TypeScript sources. */
const THREAD = fileURLToPath(new URL('./log-copier-thread.js', import.meta.url));

/** The thread starts with the first copy: a process that writes little never needs it. */
export function createLogCopier(path: string): LogCopier {
  let thread: Worker | undefined;
  let copying: Promise<void> = Promise.resolve();

  function start(): Worker {
    // Without the options of this process: a module that it preloads is for the server, and may never end in a thread.
    const made = new Worker(THREAD, { workerData: { path, driver: driverName }, execArgv: [] });
    // A thread that failed rejects the copy in progress; the next copy starts another one.
    made.on('error', () => undefined);
    made.once('exit', () => {
      if (thread === made) thread = undefined;
    });
    made.unref();
    return made;
  }

  async function ask(): Promise<void> {
    thread ??= start();
    const ended = new AbortController();
    const gone = once(thread, 'exit', { signal: ended.signal }).then(() => {
      throw new Error('the thread that copies the write-ahead log ended');
    });
    gone.catch(() => undefined);
    try {
      const answered = once(thread, 'message', { signal: ended.signal });
      answered.catch(() => undefined);
      thread.postMessage('copy');
      const [failure] = (await Promise.race([answered, gone])) as [string | null];
      if (failure !== null) throw new Error(failure);
    } finally {
      ended.abort();
    }
  }

  return {
    copy() {
      copying = ask();
      return copying;
    },
    async close() {
      await copying.catch(() => undefined);
      const last = thread;
      if (!last) return;
      const exited = once(last, 'exit').catch(() => undefined);
      last.postMessage('close');
      await exited;
    },
  };
}
