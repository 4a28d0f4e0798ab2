/**
 * An S3 server for a test run: moto (https://docs.getmoto.org), which shares no code with the tested client. It keeps
 * everything in memory. Its requests are recorded, and `restart` repeats them.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../support/free-port.js';
import { runLocally } from './local.js';
import { fromPyPI } from './pypi.js';
import type { RunningServer, ServerOptions } from './server.js';

const WHAT = "An S3 server (moto) can't be started here";
const VERSION = '5.2.5';
const START_TIMEOUT_MS = 60_000;

/** The bucket that every started server has. Any access key may use it. */
export const TEST_BUCKET = 'recado-test';

/**
 * Starts an S3 server on 127.0.0.1; `url` goes into S3_ENDPOINT. It ends with this process, however that ends. The
 * first start on a machine installs it from PyPI into the user's cache folder.
 * @throws Error with one sentence when it is not available here, or does not start
 */
export async function startS3Server(options: ServerOptions = {}): Promise<RunningServer> {
  const { python } = await fromPyPI(WHAT, `moto-${VERSION}`, `moto[server]==${VERSION}`);
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const dir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'recado-s3-')));
  await mkdir(dir, { recursive: true });
  const recording = join(dir, 'requests.jsonl');
  const known = existsSync(recording);

  async function ask(method: string, path: string): Promise<void> {
    const response = await fetch(`${url}${path}`, { method, headers: { authorization: AS_S3 } });
    if (!response.ok) throw new Error(`moto answered ${response.status} to ${method} ${path}.`);
  }

  const remember = (): Promise<void> => ask('POST', '/moto-api/recorder/replay-recording');
  const server = await runLocally({
    url: () => url,
    launch: () =>
      spawn(python, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], {
        stdio: 'ignore',
        env: { ...process.env, MOTO_ENABLE_RECORDING: '1', MOTO_RECORDER_FILEPATH: recording },
      }),
    async answers(child) {
      const end = Date.now() + START_TIMEOUT_MS;
      while (!(await answers(url))) {
        if (child.exitCode !== null || Date.now() > end)
          throw new Error(`${WHAT}: it does not answer at ${url}.`);
        await pause(50);
      }
    },
    dataDir: dir,
    options,
    restarted: remember,
  });
  await (known ? remember() : ask('PUT', `/${TEST_BUCKET}`));
  return server;
}

/** It selects the service by the credential's scope. */
const AS_S3 =
  'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0';

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/moto-api/data.json`, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.ok,
    () => false,
  );
