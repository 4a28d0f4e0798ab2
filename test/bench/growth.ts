/**
 * Does a request cost more when there is more history? Makes the same requests at ten times as many events, and ten
 * times that: CPU per request, time, memory, and a plot. All compared figures come from one run on one machine.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Pool } from 'undici';
import { View, parse } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { growTo } from './grow-history.js';
import { sendMessage, steady } from './load.js';
import { admin, cpuOf, startProduct, tellTo, type Product } from './product.js';
import { startProviderStandIn } from './provider-stand-in.js';
import { startReceiver } from './receiver.js';
import { embeddedStack, ONE, type Stack } from './stack.js';
import { quantile } from './statistics.js';

const MOST = Number(process.env['BENCH_EVENTS'] ?? 1_000_000);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 15);
const RATE = Number(process.env['BENCH_RATE'] ?? 50);
const READS = Number(process.env['BENCH_READS'] ?? 300);
const PATTERN_MESSAGES = 60;
/** Concurrent readers: few, because the figure is the cost of one request, not the contention between them. */
const READERS = 4;
const RSS_BAR_MB = 400;
/** Largest allowed ratio of the last cost to the first; a smaller ratio is noise. */
const FLAT = 1.25;
const PATIENCE_MS = 10 * 60_000;
const POLL_MS = 500;
/** Of a core. */
const IDLE_SHARE = 0.15;

interface Measured {
  readonly events: number;
  readonly what: string;
  /** Microseconds of CPU of the process, for one request and all work that it causes. */
  readonly cpu: number;
  readonly p50: number;
  readonly p99: number;
}

const SENDING = { WHATSAPP_API_URL: '', CHANNEL_RATE_PER_SECOND: 'off', RECIPIENT_PACING: 'off' };

export async function benchGrowth(stack: Stack): Promise<void> {
  if (stack.kind === 'real') {
    console.log('bench growth: it fills the embedded store; run it with: npm run bench -- growth');
    return;
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'recado-growth-'));
  const provider = await startProviderStandIn({ statuses: true });
  const receiver = await startReceiver();
  const env = { ...SENDING, WHATSAPP_API_URL: provider.url };
  const open = async (): Promise<Product> => {
    const product = await startProduct(embeddedStack, env, ONE, dataDir);
    provider.deliverTo(product);
    return product;
  };
  const measured: Measured[] = [];
  const rss: { events: number; mb: number }[] = [];
  try {
    const { from, keep } = await makePattern(open, receiver.url);
    for (let events = 1_000; events <= MOST; events *= 10) {
      const begun = performance.now();
      const filled = await growTo(dataDir, events, { from, keep });
      const filling = (performance.now() - begun) / 1000;
      const starting = performance.now();
      const product = await open();
      const started = (performance.now() - starting) / 1000;
      try {
        measured.push(...(await measure(product, filled)));
        rss.push({ events: filled, mb: product.rssMb() });
      } finally {
        await product.stop();
      }
      console.log(
        `bench growth: ${filled} events (filled in ${filling.toFixed(1)} s, started in ${started.toFixed(1)} s), RSS ${rss.at(-1)!.mb} MiB`,
      );
      for (const { what, cpu, p50, p99 } of measured.slice(-WHAT.length)) {
        console.log(`  ${what}: ${cpu} µs of CPU, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
      }
    }
    report(measured, rss);
    await plot(measured);
  } finally {
    await Promise.all([provider.close(), receiver.close()]);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Sends a few messages through the whole pipeline; their events are then repeated. */
export async function makePattern(
  open: () => Promise<Product>,
  receiverUrl: string,
): Promise<{ readonly from: number; readonly keep: readonly string[] }> {
  const product = await open();
  try {
    await tellTo(product, receiverUrl);
    const from = (await headOf(product)) + 1;
    const keep = ['company_uuid', 'integration_uuid', 'channel_uuid'].map(
      (name) => product.credentials[name]!,
    );
    const pool = new Pool(product.url, { connections: READERS });
    for (let sent = 0; sent < PATTERN_MESSAGES; sent += 1) await sendMessage(pool, product.apiKey);
    await pool.destroy();
    await quiet(product);
    return { from, keep };
  } finally {
    await product.stop();
  }
}

export const headOf = async (product: Product): Promise<number> =>
  (await admin<{ counts: { events: number } }>(product, 'GET', '/status')).counts.events;

/**
 * Waits until no work is in progress and the history no longer grows. After a history was filled in, the events feed
 * follows it: that is no cost of the requests that are measured.
 */
export async function quiet(product: Product): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let before = -1, same = 0; same < 4;) {
    if (performance.now() > deadline) throw new Error('the product did not come to rest in ten minutes');
    const cpu = cpuOf(product);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const isIdle = cpuOf(product) - cpu < (IDLE_SHARE * POLL_MS) / 1000;
    const head = await headOf(product);
    same = isIdle && head === before ? same + 1 : 0;
    before = head;
  }
}

const WHAT = [
  'send a message',
  'read an operation',
  'list contacts',
  'search contacts',
  'list conversations',
  'list events',
] as const;

async function measure(product: Product, events: number): Promise<readonly Measured[]> {
  const pool = new Pool(product.url, { connections: READERS });
  try {
    const operation = await sendMessage(pool, product.apiKey);
    await quiet(product);
    const reads: readonly (readonly [(typeof WHAT)[number], string, string])[] = [
      ['read an operation', `/api/v1/operations/${operation}`, product.apiKey],
      ['list contacts', '/api/v1/contacts?limit=50', product.apiKey],
      ['search contacts', '/api/v1/contacts?query=551198000', product.apiKey],
      ['list conversations', '/api/v1/conversations?limit=50', product.apiKey],
      ['list events', '/admin/v1/events?limit=50', product.credentials['admin_token']!],
    ];
    const measured = [await sends(product, events)];
    await quiet(product);
    for (const [what, path, key] of reads) {
      const call = async (): Promise<number> => {
        const begun = performance.now();
        const answer = await pool.request({
          path,
          method: 'GET',
          headers: { authorization: `Bearer ${key}` },
        });
        await answer.body.dump();
        if (answer.statusCode !== 200) throw new Error(`GET ${path} answered ${answer.statusCode}`);
        return performance.now() - begun;
      };
      await times(call, READS / 3);
      const before = cpuOf(product);
      const took = await times(call, READS);
      measured.push({
        events,
        what,
        cpu: Math.round(((cpuOf(product) - before) / READS) * 1e6),
        p50: quantile(took, 0.5),
        p99: quantile(took, 0.99),
      });
    }
    return measured;
  } finally {
    await pool.destroy();
  }
}

/** Includes all work that a message causes: three statuses, and their webhooks. */
async function sends(product: Product, events: number): Promise<Measured> {
  const load = (seconds: number) =>
    steady({
      url: `${product.url}/api/v1/messages`,
      headers: { authorization: `Bearer ${product.apiKey}` },
      seconds,
      connections: 16,
      rate: RATE,
    });
  await load(SECONDS / 3);
  await quiet(product);
  const before = cpuOf(product);
  const { done, p50, p99 } = await load(SECONDS);
  await quiet(product);
  return {
    events,
    what: 'send a message',
    cpu: Math.round(((cpuOf(product) - before) / done) * 1e6),
    p50,
    p99,
  };
}

async function times(call: () => Promise<number>, count: number): Promise<readonly number[]> {
  const took: number[] = [];
  let left = Math.ceil(count);
  const reader = async (): Promise<void> => {
    while (left-- > 0) took.push(await call());
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  return took;
}

function report(measured: readonly Measured[], rss: readonly { events: number; mb: number }[]): void {
  const sizes = [...new Set(measured.map(({ events }) => events))];
  const of = (what: string, events: number): Measured =>
    measured.find((each) => each.what === what && each.events === events)!;
  console.log(
    `  CPU of ${sizes.at(-1)!} events over that of ${sizes[0]!}, by request (flat: below ${FLAT}):`,
  );
  for (const what of WHAT) {
    const ratio = of(what, sizes.at(-1)!).cpu / of(what, sizes[0]!).cpu;
    console.log(`    ${what}: ${ratio.toFixed(2)}${ratio < FLAT ? '' : '  NOT FLAT'}`);
  }
  const { mb } = rss.at(-1)!;
  console.log(
    `  RSS at ${sizes.at(-1)!} events: ${mb} MiB (bar ${RSS_BAR_MB})${mb < RSS_BAR_MB ? '' : '  NOT MET'}`,
  );
}

async function plot(measured: readonly Measured[]): Promise<void> {
  const path = resolve(process.env['BENCH_PLOT'] ?? 'growth.svg');
  const spec: TopLevelSpec = {
    title: 'CPU of one request by events in the history',
    width: 560,
    height: 320,
    data: { values: [...measured] },
    mark: { type: 'line', point: true },
    encoding: {
      x: { field: 'events', type: 'quantitative', scale: { type: 'log' }, title: 'events' },
      y: { field: 'cpu', type: 'quantitative', scale: { type: 'log' }, title: 'µs of CPU' },
      color: { field: 'what', type: 'nominal', title: null },
    },
  };
  const view = new View(parse(compile(spec).spec), { renderer: 'none' });
  writeFileSync(path, await view.toSVG());
  if (readFileSync(path, 'utf8').length < 1_000) throw new Error(`${path} holds no plot`);
  console.log(`  plot: ${path}`);
}
