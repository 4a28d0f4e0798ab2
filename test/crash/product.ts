/** The product as a child process: started, polled until it is ready, killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { resolve } from 'node:path';

/** Folder of the compiled product; CRASH_DIST selects another build. */
const DIST = resolve(process.env['CRASH_DIST'] ?? 'dist');
const READY_TIMEOUT_MS = 240_000;

/** These child processes end with the test process, however it ends; only its SIGKILL leaves them running. */
const living = new Set<ChildProcess>();
process.once('exit', () => living.forEach((child) => child.kill('SIGKILL')));

export interface Product {
  /** Lets the prepared process run. Resolves with true when it is ready, with false when it was killed before. */
  start(): Promise<boolean>;
  alive(): boolean;
  /** Of the process that was started last. */
  pid(): number | undefined;
  /** Sends SIGKILL; resolves when the process has ended. May be called repeatedly. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** For signals that do not end it: SIGSTOP, SIGCONT, SIGUSR2. */
  signal(signal: NodeJS.Signals): void;
  /** Milliseconds from the start signal until the process was ready, for each start that completed. */
  readonly startTimes: readonly number[];
  /** Ends the running process and the prepared one. */
  close(): Promise<void>;
}

export function createProduct(options: {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logPath: string;
  /** Arguments after `main.js`. */
  readonly args?: readonly string[];
  /** Modules to load before the product, as paths in the build. */
  readonly imports?: readonly string[];
  /** False: the next process is loaded when it is started, not in advance while the current one runs. */
  readonly loadAhead?: boolean;
  /** Folder of another build. */
  readonly dist?: string | undefined;
}): Product {
  const { args = [], imports = [], loadAhead = true, dist = DIST } = options;
  const startTimes: number[] = [];
  const log = openSync(options.logPath, 'a');
  let running: ChildProcess | null = null;
  let waiting = loadAhead ? prepare() : null;

  function prepare(): { readonly child: ChildProcess; readonly loaded: Promise<unknown> } {
    const first = [...imports, 'test/crash/standby.js'].flatMap((path) => [
      '--import',
      `file://${dist}/${path}`,
    ]);
    const child = spawn(process.execPath, [...first, `${dist}/runtime/main.js`, ...args], {
      env: { PATH: process.env['PATH'], ...options.env },
      stdio: ['ignore', log, log, 'ipc'],
    });
    living.add(child);
    child.once('exit', () => living.delete(child));
    return { child, loaded: once(child, 'message') };
  }

  const gone = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

  async function isReady(): Promise<boolean> {
    try {
      const answer = await fetch(`${options.url}/readyz`, { signal: AbortSignal.timeout(2_000) });
      await answer.arrayBuffer();
      return answer.status === 200;
    } catch {
      return false;
    }
  }

  return {
    startTimes,
    alive: () => running !== null && !gone(running),
    pid: () => running?.pid,
    async start() {
      const { child, loaded } = waiting ?? prepare();
      await loaded;
      running = child;
      const from = performance.now();
      child.send('run');
      waiting = loadAhead ? prepare() : null;
      while (performance.now() - from < READY_TIMEOUT_MS) {
        if (await isReady()) {
          startTimes.push(performance.now() - from);
          return true;
        }
        if (gone(child)) {
          if (child.signalCode === 'SIGKILL') return false;
          throw new Error(`the product ended by itself with code ${child.exitCode}; see ${options.logPath}`);
        }
        await new Promise((tick) => setTimeout(tick, 10));
      }
      throw new Error(`the product was not ready after ${READY_TIMEOUT_MS} ms; see ${options.logPath}`);
    },
    async kill() {
      const child = running;
      if (child === null || gone(child)) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
    async stop() {
      const child = running!;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
      return child.exitCode;
    },
    signal(signal) {
      if (running !== null && !gone(running)) running.kill(signal);
    },
    async close() {
      for (const child of [running, waiting?.child ?? null]) {
        if (child === null || gone(child)) continue;
        const exit = once(child, 'exit');
        child.kill('SIGKILL');
        await exit;
      }
    },
  };
}
