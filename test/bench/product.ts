/** The product as a process of its own, with a data folder of its own, for a bench to load. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Product {
  readonly url: string;
  readonly apiKey: string;
  readonly pid: number;
  readonly credentials: Readonly<Record<string, string>>;
  rssMb(): number;
  stop(): Promise<void>;
}

/** The build's own folder: benches run compiled, beside what they measure. */
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Resident set of a process, in MiB, as the kernel counts it. */
export function rssOf(pid: number): number {
  const line = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(line?.[1] ?? 0) / 1024);
}

/** Starts a node script of the build; resolves with the first line that `ready` accepts. */
export function spawnNode(
  script: string,
  env: Readonly<Record<string, string>>,
  ready: (line: string) => string | null,
): Promise<{ readonly child: ChildProcess; readonly answer: string }> {
  const args = (process.env['BENCH_NODE_ARGS'] ?? '').split(' ').filter((arg) => arg !== '');
  const child = spawn(process.execPath, [...args, join(root, script)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let seen = '';
    child.stdout.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      for (const line of seen.split('\n')) {
        const answer = ready(line);
        if (answer !== null) return resolve({ child, answer });
      }
    });
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
  });
}

export function stopChild(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners('exit');
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
  });
}

export async function startProduct(port: number, env: Readonly<Record<string, string>>): Promise<Product> {
  const dataDir = mkdtempSync(join(tmpdir(), 'recado-bench-'));
  const { child } = await spawnNode(
    'runtime/main.js',
    {
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      RATE_LIMIT_SENDS_PER_MINUTE: 'off',
      RATE_LIMIT_READS_PER_MINUTE: 'off',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ...env,
    },
    (line) => (line.startsWith('Recado is up at') ? 'up' : null),
  );
  const credentials = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as Record<
    string,
    string
  >;
  return {
    url: `http://127.0.0.1:${port}`,
    apiKey: credentials['api_key']!,
    pid: child.pid!,
    credentials,
    rssMb: () => rssOf(child.pid!),
    async stop() {
      await stopChild(child);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Webhooks of the demo integration go there only: its own inbox would be a second receiver inside the process under test. */
export async function tellTo(product: Product, url: string): Promise<void> {
  const { admin_url, admin_token, integration_uuid } = product.credentials;
  const base = `${admin_url}/integrations/${integration_uuid}/webhooks`;
  const headers = { authorization: `Bearer ${admin_token}`, 'content-type': 'application/json' };
  const listed = (await (await fetch(base, { headers })).json()) as { data: { uuid: string }[] };
  for (const { uuid } of listed.data) {
    await fetch(`${admin_url}/webhooks/${uuid}`, { method: 'DELETE', headers });
  }
  const made = await fetch(base, {
    method: 'POST',
    headers,
    body: JSON.stringify({ url, event_types: ['message.status.updated'] }),
  });
  if (made.status !== 201) throw new Error(`the endpoint was refused: ${await made.text()}`);
}

export interface StandIns {
  readonly providerUrl: string;
  /** Sends the product's status webhooks and integration webhooks here. */
  attach(product: Product): Promise<void>;
  counts(): Promise<{ readonly calls: number; readonly webhooks: number }>;
  stop(): Promise<void>;
}

export async function spawnStandIns(gatherMs: number): Promise<StandIns> {
  const { child, answer } = await spawnNode(
    'test/bench/stand-ins.js',
    { GATHER_MS: String(gatherMs) },
    (line) => (line.startsWith('{"provider"') && line.endsWith('}') ? line : null),
  );
  const { provider, receiver, control } = JSON.parse(answer) as Record<string, string>;
  return {
    providerUrl: provider!,
    async attach(product) {
      const { url, credentials } = product;
      await fetch(control!, { method: 'POST', body: JSON.stringify({ url, credentials }) });
      await tellTo(product, receiver!);
    },
    counts: async () => (await (await fetch(control!)).json()) as { calls: number; webhooks: number },
    stop: () => stopChild(child),
  };
}
