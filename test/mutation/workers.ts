/** The processes that run tests. A process that hangs, ends or has grown too large is replaced. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Answer, Order } from './messages.js';

/** Tests with hundreds of random cases run only as many as fit into a second. */
const ENV = { ...process.env, FLOWS_RUNS: '10', RECADO_MOST_RUNS: '20' };

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));

export class Worker {
  private child: ChildProcess | null = null;

  /** The answer; `hung` when none arrived in time, `ended` when the process exited. */
  async ask(order: Order, timeoutMs: number): Promise<Answer | 'hung' | 'ended'> {
    this.child ??= fork(WORKER, [], {
      execArgv: ['--import', 'tsx', '--no-warnings'],
      env: ENV,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const { child } = this;
    let timer: NodeJS.Timeout | undefined;
    const over = new AbortController();
    const { signal } = over;
    const ends = [
      once(child, 'message', { signal }).then(([answer]) => answer as Answer),
      once(child, 'exit', { signal }).then(() => 'ended' as const),
      new Promise<'hung'>((resolve) => (timer = setTimeout(() => resolve('hung'), timeoutMs))),
    ];
    child.send(order);
    const result = await Promise.race(ends);
    clearTimeout(timer);
    over.abort();
    await Promise.allSettled(ends.slice(0, 2));
    if (typeof result === 'string' || (result.type === 'mutant' && result.spent)) this.stop();
    return result;
  }

  stop(): void {
    this.child?.kill('SIGKILL');
    this.child = null;
  }
}
