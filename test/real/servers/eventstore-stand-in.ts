/**
 * EventStoreDB's stand-in in a process of its own, so that tests can stop, kill and restart it as they would a server.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { RunningServer, ServerOptions } from './server.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../support/eventstoredb/process.ts', import.meta.url));

/**
 * Starts the stand-in on 127.0.0.1; `url` is a connection string for the client. What it acknowledged survives `kill`,
 * and it ends with this process, however that ends.
 * @throws Error with what it said, when it does not come up
 */
export async function startEventStoreStandInProcess(options: ServerOptions = {}): Promise<RunningServer> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'recado-eventstore-')));
  let port = options.port ?? 0;
  let server: ChildProcess;
  let guard: ChildProcess;

  async function start(): Promise<void> {
    server = spawn(process.execPath, ['--import', 'tsx', PROGRAM, String(port), dataDir], {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    guard = spawnGuard(server.pid!);
    port = await answers(server);
  }

  async function end(): Promise<void> {
    if (server.exitCode === null && server.signalCode === null) {
      const gone = once(server, 'exit');
      server.kill('SIGKILL');
      await gone;
    }
    // Only now: until here the guard is what ends a stopped server if we die.
    guard.kill('SIGKILL');
  }

  await start();
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    get pid() {
      return server.pid!;
    },
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    kill: end,
    async restart() {
      await end();
      await start();
    },
    async stop() {
      await end();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The port that the stand-in says it answers on. */
async function answers(server: ChildProcess): Promise<number> {
  let said = '';
  server.stderr!.on('data', (text: Buffer) => {
    said += text.toString('utf8');
  });
  const lines = createInterface({ input: server.stdout! });
  const line = await Promise.race([
    once(lines, 'line').then(([first]) => String(first)),
    once(server, 'exit').then(() => undefined),
  ]);
  if (line === undefined)
    throw new Error(`the stand-in of EventStoreDB can't be started here: ${said.trim()}`);
  return Number(line);
}

/** A process whose input ends when we do, and which then ends the server. */
function spawnGuard(pid: number): ChildProcess {
  const script = `trap '' INT TERM HUP; cat >/dev/null; kill -9 ${pid}`;
  const guard = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'] });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return guard;
}
