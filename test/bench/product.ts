/** The product in separate processes with a temporary data folder, as the target of a bench. */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  cpuSecondsOf,
  ioOf,
  roundTripsOf,
  rssOf,
  spawnNode,
  stopChild,
  type RoundTrips,
} from './processes.js';
import { freePort } from '../support/free-port.js';
import { pause } from './waits.js';
import { ONE, type Env, type Layout, type Stack } from './stack.js';

export interface ProductProcess {
  /** Its roles, with a number when several processes have the same roles. */
  readonly name: string;
  readonly pid: number;
}

export interface Product {
  /** URL of the first API process, without a trailing slash. */
  readonly url: string;
  /** URLs of all API processes. */
  readonly urls: readonly string[];
  readonly apiKey: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly processes: readonly ProductProcess[];
  /** Sum over all processes. */
  rssMb(): number;
  /** By process. */
  cpuSeconds(): Readonly<Record<string, number>>;
  /** Requests to the servers since the start, summed over all processes. Empty on the embedded store. */
  roundTrips(): Promise<RoundTrips>;
  stop(): Promise<void>;
}

interface Started extends ProductProcess {
  readonly url: string;
  readonly roles: string;
  readonly child: ChildProcess;
}

/**
 * The first API process creates the demo workspace, whose credentials the bench uses.
 * @param folder data folder that the bench inspects itself; it stays. Default: a temporary one, removed with the
 * product
 * @param script what each process runs
 */
export async function startProduct(
  stack: Stack,
  env: Env,
  layout: Layout = ONE,
  folder?: string,
  script = 'runtime/main.js',
): Promise<Product> {
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'recado-bench-'));
  const settings = {
    LOG_LEVEL: process.env['BENCH_LOG_LEVEL'] ?? 'error',
    RATE_LIMIT_SENDS_PER_MINUTE: 'off',
    RATE_LIMIT_READS_PER_MINUTE: 'off',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...stack.fresh(),
    ...env,
    DATA_DIR: dataDir,
  };
  const started: Started[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map(({ child }) => stopChild(child)));
    if (folder === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    // Projections first: the demo is read back while it is created.
    const order = [...layout].sort((a, b) => rank(a) - rank(b));
    const demoIn = order.findIndex((roles) => roles.includes('api'));
    for (const [index, roles] of order.entries()) {
      const port = await freePort();
      const own = { PORT: String(port), DEMO: index === demoIn ? 'on' : 'off', ROLES: roles };
      const { child } = await spawnNode(
        script,
        { ...settings, ...own },
        (line) => (line.startsWith('Recado is up') ? 'up' : null),
        [stack.kind === 'real' ? 'test/bench/round-trips.js' : 'test/bench/io-at-exit.js'],
      );
      const same = order.slice(0, index + 1).filter((other) => other === roles).length;
      const name = `${roles === ONE[0] ? 'all roles' : roles}${same > 1 ? ` ${same}` : ''}`;
      started.push({ name, pid: child.pid!, url: `http://127.0.0.1:${port}`, roles, child });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const credentials = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as Record<
    string,
    string
  >;
  const urls = started.filter(({ roles }) => roles.includes('api')).map(({ url }) => url);
  return {
    url: urls[0]!,
    urls,
    apiKey: credentials['api_key']!,
    credentials,
    processes: started,
    rssMb: () => Math.round(started.reduce((sum, { pid }) => sum + rssOf(pid), 0)),
    cpuSeconds: () => Object.fromEntries(started.map(({ name, pid }) => [name, cpuSecondsOf(pid)])),
    async roundTrips() {
      if (stack.kind === 'embedded') return {};
      const total: Record<string, number> = {};
      for (const counts of await Promise.all(started.map(({ child }) => roundTripsOf(child)))) {
        for (const [kind, n] of Object.entries(counts)) total[kind] = (total[kind] ?? 0) + n;
      }
      return total;
    },
    stop,
  };
}

const rank = (roles: string): number => (roles.includes('projections') ? 0 : roles.includes('api') ? 1 : 2);

/** CPU seconds of all processes. */
export const cpuOf = (product: Product): number =>
  Object.values(product.cpuSeconds()).reduce((sum, seconds) => sum + seconds, 0);

/** Bytes that all processes wrote to a disk since their start. */
export const writtenBy = ({ processes }: Product): number =>
  processes.reduce((sum, { pid }) => sum + ioOf(`/proc/${pid}/io`).bytes, 0);

/** A product that has just started, or whose servers are slow, may ask for a repetition. */
const ADMIN_PATIENCE_MS = 60_000;
const ADMIN_AGAIN_MS = 500;

/**
 * A JSON request to the admin API, repeated with the same Idempotency-Key while it is answered 503.
 * @throws Error unless it is answered with success
 */
export async function admin<T>(product: Product, method: string, path: string, body?: unknown): Promise<T> {
  const { admin_url, admin_token } = product.credentials;
  const headers = {
    authorization: `Bearer ${admin_token}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const ask = (): Promise<Response> =>
    fetch(`${admin_url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const deadline = performance.now() + ADMIN_PATIENCE_MS;
  let answer = await ask();
  while (answer.status === 503 && performance.now() < deadline) {
    await answer.text();
    await pause(ADMIN_AGAIN_MS);
    answer = await ask();
  }
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return (text === '' ? undefined : (JSON.parse(text) as { data: T }).data) as T;
}

/**
 * Replaces the demo integration's endpoints by this one. The demo's own inbox would be a second receiver inside the
 * process under test.
 */
export async function tellTo(
  product: Product,
  url: string,
  eventTypes: readonly string[] = ['message.status.updated'],
): Promise<void> {
  const base = `/integrations/${product.credentials['integration_uuid']}/webhooks`;
  for (const { uuid } of await admin<{ uuid: string }[]>(product, 'GET', base)) {
    await admin(product, 'DELETE', `/webhooks/${uuid}`);
  }
  await admin(product, 'POST', base, { url, event_types: eventTypes });
}

/** Connects channels until there are `count`; returns the uuids of all, the demo's first. */
export async function connectChannels(product: Product, count: number): Promise<readonly string[]> {
  const uuids = [product.credentials['channel_uuid']!];
  for (let n = 1; n < count; n += 1) {
    const path = `/companies/${product.credentials['company_uuid']}/channels`;
    const { uuid } = await admin<{ uuid: string }>(product, 'POST', path, {
      phone_number_id: String(106_540_352_300_000 + n),
      waba_id: '102290129340398',
      access_token: 'bench-token',
    });
    uuids.push(uuid);
  }
  return uuids;
}
