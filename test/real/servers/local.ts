/** A server as a child process: the parts that all servers share. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunningServer, ServerOptions } from './server.js';

export interface LocalServer {
  readonly url: () => string;
  readonly launch: () => Promise<ChildProcess> | ChildProcess;
  /** Resolves when the server answers. @throws Error when it does not; the server is then ended */
  readonly answers: (server: ChildProcess) => Promise<void>;
  /** Folder of its data; removed with the server unless the test named the folder. */
  readonly dataDir: string;
  readonly options: ServerOptions;
  /** Runs after each restart. */
  readonly restarted?: () => Promise<void>;
}

/** The server dies with this process, however that ends. @throws the error of `answers` */
export async function runLocally(local: LocalServer): Promise<RunningServer> {
  let server: ChildProcess;

  async function start(): Promise<void> {
    server = await local.launch();
    guardUntilExit(server);
    try {
      await local.answers(server);
    } catch (error) {
      await end();
      throw error;
    }
  }

  async function end(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  }

  await start();
  return {
    url: local.url(),
    get pid() {
      return server.pid!;
    },
    pause() {
      server.kill('SIGSTOP');
      untilStopped(server.pid!);
    },
    resume: () => void server.kill('SIGCONT'),
    kill: end,
    async restart() {
      await end();
      await start();
      await local.restarted?.();
    },
    async stop() {
      await end();
      if (local.options.dataDir === undefined) await rm(local.dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Launches a program that writes to `server.log` in its folder. When it does not start, the error contains the end of
 * the log.
 * @param what "Kafka can't be started here" or the like
 */
export function withLog(
  what: string,
  home: string,
  command: readonly [program: string, args: readonly string[]],
  answers: LocalServer['answers'],
): Pick<LocalServer, 'launch' | 'answers'> {
  const path = join(home, 'server.log');
  return {
    async launch() {
      const log = await open(path, 'a');
      const server = spawn(command[0], command[1], { stdio: ['ignore', log.fd, log.fd] });
      await log.close();
      return server;
    },
    async answers(server) {
      try {
        await answers(server);
      } catch (error) {
        const said = (await readFile(path, 'utf8')).trim().split('\n').slice(-3).join(' | ');
        throw new Error(`${what}: ${String(error)} (it said: ${said})`, { cause: error });
      }
    },
  };
}

export const run = promisify(execFile);

/** Awaits a requirement of a start. @throws Error with one sentence that begins with `what` */
export async function must<T>(what: string, reason: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1) ?? '';
    throw new Error(`${what}: ${reason}${said === '' ? '.' : ` (${said}).`}`, { cause: error });
  }
}

/**
 * Downloads or builds something once on a machine. `make` writes it to `<work>/made`. It is then moved into the user's
 * cache folder under `name` as a whole, or not at all; another run may have been faster. Returns its path.
 */
export async function cached(name: string, make: (work: string) => Promise<void>): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'recado-tests');
  const target = join(cache, name);
  if (existsSync(target)) return target;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'making-'));
  try {
    await make(work);
    await rename(join(work, 'made'), target).catch((error: unknown) => {
      if (!existsSync(target)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return target;
}

const STOPS_WITHIN_MS = 10_000;

/**
 * The signal may still be in delivery when `kill` returns. Until each thread has stopped, a server may still answer.
 */
function untilStopped(pid: number): void {
  const tasks = `/proc/${pid}/task`;
  const gaveUp = performance.now() + STOPS_WITHIN_MS;
  while (existsSync(tasks) && readdirSync(tasks).some((task) => !isStopped(`${tasks}/${task}/stat`))) {
    if (performance.now() > gaveUp) throw new Error(`process ${pid} does not stop`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
}

/** A thread that has ended counts as stopped. */
function isStopped(stat: string): boolean {
  try {
    // The state follows the program's name, which may contain any character.
    const state = readFileSync(stat, 'utf8').split(') ').at(-1)!;
    return /^[TtZX]/.test(state);
  } catch {
    return true;
  }
}

/** Starts a guard process whose input ends with this process, and which then kills the server. */
function guardUntilExit(server: ChildProcess): void {
  const script = `trap '' INT TERM HUP; cat >/dev/null; kill -9 ${server.pid!}`;
  const guard = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'] });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  // The order matters: a guard whose input ended first could kill another process with a reused id.
  server.once('exit', () => {
    guard.once('exit', () => guard.stdin.destroy());
    guard.kill('SIGKILL');
  });
}
