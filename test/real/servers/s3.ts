/**
 * An S3 server for a test run: moto (https://docs.getmoto.org), which shares no code with the client it tests. It keeps
 * everything in memory; what was asked of it is recorded, and `restart` asks it again.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { RunningServer, ServerOptions } from './server.js';

const VERSION = '5.2.5';
const START_TIMEOUT_MS = 60_000;
const FETCH_TIMEOUT_MS = 300_000;
const run = promisify(execFile);

/** The bucket that every started server has. Any access key may use it. */
export const TEST_BUCKET = 'recado-test';

/**
 * Starts an S3 server on 127.0.0.1; `url` goes into S3_ENDPOINT. It ends with this process, however that ends. The
 * first start on a machine installs it from PyPI into the user's cache folder.
 * @throws Error with one sentence when there can be none here, or it does not come up
 */
export async function startS3Server(options: ServerOptions = {}): Promise<RunningServer> {
  const python = await installed();
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const dir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'recado-s3-')));
  await mkdir(dir, { recursive: true });
  const recording = join(dir, 'requests.jsonl');
  const known = existsSync(recording);
  let server: ChildProcess;
  let guard: ChildProcess;

  async function start(): Promise<void> {
    server = spawn(python, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], {
      stdio: 'ignore',
      env: { ...process.env, MOTO_ENABLE_RECORDING: '1', MOTO_RECORDER_FILEPATH: recording },
    });
    guard = spawnGuard(server.pid!);
    const end = Date.now() + START_TIMEOUT_MS;
    while (!(await answers(url))) {
      if (server.exitCode !== null || Date.now() > end) {
        await kill();
        throw new Error(`An S3 server (moto) can't be started here: it does not answer at ${url}.`);
      }
      await pause(50);
    }
  }

  async function ask(method: string, path: string): Promise<void> {
    const response = await fetch(`${url}${path}`, { method, headers: { authorization: AS_S3 } });
    if (!response.ok) throw new Error(`moto answered ${response.status} to ${method} ${path}.`);
  }

  const remember = (): Promise<void> => ask('POST', '/moto-api/recorder/replay-recording');

  async function kill(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
    // Only now: until here the guard is what ends the server if we die.
    guard.kill('SIGKILL');
  }

  await start();
  await (known ? remember() : ask('PUT', `/${TEST_BUCKET}`));
  return {
    url,
    get pid() {
      return server.pid!;
    },
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    kill,
    async restart() {
      await kill();
      await start();
      await remember();
    },
    async stop() {
      await kill();
      if (options.dataDir === undefined) await rm(dir, { recursive: true, force: true });
    },
  };
}

/** It reads which service is meant from the credential's scope. */
const AS_S3 =
  'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0';

/** The virtual environment's Python, with moto installed into it when it is not there yet. */
async function installed(): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'recado-tests');
  const venv = join(cache, `moto-${VERSION}`);
  if (!existsSync(venv)) {
    await mkdir(cache, { recursive: true });
    const work = await mkdtemp(join(cache, 'fetching-'));
    try {
      await must('it needs Python 3 with venv ("python3" in the PATH)', run('python3', ['-m', 'venv', work]));
      await must(
        'pip could not install it',
        run(join(work, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', `moto[server]==${VERSION}`], {
          timeout: FETCH_TIMEOUT_MS,
        }),
      );
      // Whole or not at all; another run may have been quicker.
      await rename(work, venv).catch((error: unknown) => {
        if (!existsSync(venv)) throw error;
      });
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }
  return join(venv, 'bin', 'python');
}

/** A process whose input ends when we do, and which then ends the server. */
function spawnGuard(pid: number): ChildProcess {
  const script = `trap '' INT TERM HUP; cat >/dev/null; kill -9 ${pid}`;
  const guard = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'] });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return guard;
}

async function must<T>(reason: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1) ?? '';
    throw new Error(
      `An S3 server (moto) can't be started here: ${reason}${said === '' ? '.' : ` (${said}).`}`,
      {
        cause: error,
      },
    );
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/moto-api/data.json`, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.ok,
    () => false,
  );

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
