/**
 * Runs work on a database file in a separate process: in the server's thread it would block everything for seconds. The
 * process ends when the server does, because its channel closes then.
 */
import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { messageOf } from '../../ports/thrown.js';

interface Answer {
  readonly result?: unknown;
  readonly error?: string;
}

const BEHIND_OTHERS = 10;

/**
 * Runs the task of `module` on `path`. The module must end with a call of `answerTask` with the same name.
 * @throws Error with a sentence for the operator
 */
export function runTask<T>(
  module: string,
  task: string,
  path: string,
  env: NodeJS.ProcessEnv = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const child = fork(module, [task, path], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...process.env, ...env },
      // A module that the server preloads may use the channel of its process. Sources need the one that compiles them.
      execArgv: module.endsWith('.ts') ? process.execArgv : [],
    });
    child.once('message', (message) => {
      const { result, error } = message as Answer;
      if (error === undefined) resolve(result as T);
      else reject(new Error(error));
    });
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`the process that works on ${path} ended early (${signal ?? code})`)),
    );
  });
}

/** Has no effect in a process that was not started for this task. */
export function answerTask(task: string, work: (path: string) => unknown): void {
  const [, , asked, path] = process.argv;
  if (!process.send || asked !== task || path === undefined) return;
  process.once('disconnect', () => process.exit());
  process.send(answerOf(work, path), () => process.disconnect());
}

function answerOf(work: (path: string) => unknown, path: string): Answer {
  try {
    setPriority(BEHIND_OTHERS);
    return { result: work(path) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}
