/**
 * `BENCH_IN_USE=yes npm run bench -- rebuild`: the product rebuilds every projection over a history of BENCH_EVENTS.
 * During the rebuild messages are sent (BENCH_RATE per second), and all documents and lists from before are requested
 * repeatedly over HTTP. A document that is missing at any moment, by itself or in its list, is a hole and fails the
 * bench.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { loadMasterKey } from '../../adapters/crypto/master-key.js';
import { createSecretBox } from '../../adapters/crypto/secret-box.js';
import { openEmbedded } from '../../adapters/embedded/open.js';
import { createCodec } from '../../application/codec.js';
import { createRegistry } from '../../domain/catalog.js';
import { exampleIds } from '../support/examples/example.js';
import { deriveId } from '../../domain/kernel/ids.js';
import { orderStream } from '../../domain/streams.js';
import { orderEventExamples } from '../support/examples/order.js';
import { START, type EventStore } from '../../ports/event-store.js';
import { growTo } from './grow-history.js';
import { headOf, makePattern } from './growth.js';
import { sendMessage } from './load.js';
import { cpuSecondsOf } from './processes.js';
import { admin, startProduct, type Product } from './product.js';
import { startProviderStandIn } from './provider-stand-in.js';
import { startReceiver } from './receiver.js';
import { embeddedStack, ONE } from './stack.js';
import { quantile } from './statistics.js';

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 1_000_000);
const RATE = Number(process.env['BENCH_RATE'] ?? 5);
const LISTS = [
  '/contacts',
  '/conversations',
  '/templates',
  '/channels',
  '/flows',
  '/store/products',
  '/store/orders',
];
/** Number of documents of each list that are requested one by one. */
const OF_EACH = 5;
const LOOK_EVERY_MS = 1_000;
const SHOWN = 20;

interface Named {
  readonly uuid: string;
}

interface Order extends Named {
  readonly status: string;
  readonly error: string | null;
  readonly projections: readonly {
    readonly name: string;
    readonly verification: { readonly compared: number; readonly different: number } | null;
  }[];
}

/** Expected at every moment: status 200, and these uuids among the results. */
type Expected = ReadonlyMap<string, readonly string[]>;

/** @throws Error when there was a hole, or the rebuild failed */
export async function rebuildInUse(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'recado-rebuild-'));
  const provider = await startProviderStandIn({ statuses: true });
  const receiver = await startReceiver();
  const open = async (): Promise<Product> => {
    const env = { WHATSAPP_API_URL: provider.url, CHANNEL_RATE_PER_SECOND: 'off', RECIPIENT_PACING: 'off' };
    const product = await startProduct(embeddedStack, env, ONE, dataDir);
    provider.deliverTo(product);
    return product;
  };
  try {
    const { from, keep } = await makePattern(open, receiver.url);
    await growTo(dataDir, EVENTS, { from, keep });
    await placeOrders(dataDir);
    const product = await open();
    try {
      await watch(product);
    } finally {
      await product.stop();
    }
  } finally {
    await Promise.all([provider.close(), receiver.close()]);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/**
 * Appends orders to the demo's store directly, because the API cannot create them: customers place them in the shop.
 */
async function placeOrders(dataDir: string): Promise<void> {
  const secretBox = createSecretBox(loadMasterKey({ dataDir }).key);
  const embedded = await openEmbedded({ dataDir, secretBox });
  try {
    const { eventStore, personalKeys } = embedded;
    const codec = createCodec(createRegistry(), personalKeys);
    const { stream, sold } = await firstProduct(eventStore);
    const { placed } = orderEventExamples;
    for (let n = 0; n < OF_EACH; n += 1) {
      const id = deriveId(stream, 'order', n);
      const data = { ...placed.data, ...sold, number: 9_000 + n };
      const meta = {
        correlation_id: id,
        causation_id: id,
        command_id: id,
        actor: 'bench',
        company: sold.company_uuid,
        occurred_at: new Date().toISOString(),
        schema_version: 1,
      };
      const record = await codec.encode({ ...placed, data }, id, meta, exampleIds.subject);
      await eventStore.append(orderStream.toName(id), 'no_stream', [record]);
    }
  } finally {
    await embedded.close();
  }
}

async function firstProduct(store: EventStore) {
  for (let after = START; ;) {
    const page = await store.readAll({ after, limit: 500, types: ['ProductCreated'] });
    const [first] = page.records.filter(({ type }) => type === 'ProductCreated');
    if (first) {
      const { company_uuid, store_uuid } = first.data as { company_uuid: string; store_uuid: string };
      return { stream: first.stream, sold: { company_uuid, store_uuid } };
    }
    if (page.atEnd) throw new Error('the demo sells nothing');
    after = page.next;
  }
}

async function watch(product: Product): Promise<void> {
  const pool = new Pool(product.url, { connections: 8 });
  const expected = await lookAround(pool, product);
  const before = await headOf(product);
  const { pid } = product.processes[0]!;
  const waits: number[] = [];
  const holes: string[] = [];
  let going = true;
  let sent = 0;
  let peak = 0;

  const reading = (async () => {
    while (going) {
      for (const [path, uuids] of expected) {
        const begun = performance.now();
        const { status, found } = await get(pool, product, path);
        waits.push(performance.now() - begun);
        const missing = uuids.filter((uuid) => !found.includes(uuid));
        if (status !== 200 || missing.length > 0) holes.push(`${path}: ${status}, missing ${missing.join()}`);
      }
    }
  })();
  const sending = (async () => {
    while (going) {
      await sendMessage(pool, product.apiKey);
      sent += 1;
      await new Promise((resolve) => setTimeout(resolve, 1_000 / RATE));
    }
  })();
  const cpu = cpuSecondsOf(pid);
  const begun = performance.now();
  let order = await admin<Order>(product, 'POST', '/projections/rebuilds', {});
  while (!['done', 'failed', 'differs', 'cancelled'].includes(order.status)) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    peak = Math.max(peak, product.rssMb());
    order = await admin<Order>(product, 'GET', `/projections/rebuilds/${order.uuid}`);
  }
  const seconds = (performance.now() - begun) / 1000;
  const used = cpuSecondsOf(pid) - cpu;
  going = false;
  await Promise.all([reading, sending]);
  await pool.destroy();

  const verified = order.projections.map(({ verification }) => verification);
  const sum = (of: 'compared' | 'different'): number =>
    verified.reduce((all, one) => all + (one?.[of] ?? 0), 0);
  console.log(
    `bench rebuild in use: ${before} events, ${order.status} after ${seconds.toFixed(0)} s and ${used.toFixed(1)} s of CPU, verified and flipped;\n` +
      `  meanwhile ${sent} messages sent, ${waits.length} GETs of ${expected.size} addresses: ${holes.length} holes,` +
      ` p50 ${quantile(waits, 0.5).toFixed(1)} ms, p99 ${quantile(waits, 0.99).toFixed(1)} ms\n` +
      `  ${sum('compared')} documents compared, ${sum('different')} different; RSS at most ${peak} MiB`,
  );
  if (holes.length > 0) throw new Error(`there were holes:\n${holes.slice(0, SHOWN).join('\n')}`);
  if (order.status !== 'done') throw new Error(`the rebuild ended ${order.status}: ${order.error ?? ''}`);
}

/** Records the documents and lists that must stay available. @throws Error when a list is empty */
async function lookAround(pool: Pool, product: Product): Promise<Expected> {
  const expected = new Map<string, readonly string[]>();
  for (const path of LISTS) {
    const { status, found } = await get(pool, product, path);
    if (status !== 200 || found.length === 0) throw new Error(`${path} shows nothing to look for: ${status}`);
    // These lists show the newest first: new entries push old ones off a full page, while those on a short page stay.
    if (!['/contacts', '/conversations'].includes(path)) expected.set(path, found);
    for (const uuid of found.slice(0, OF_EACH)) {
      if (!['/templates', '/channels'].includes(path)) expected.set(`${path}/${uuid}`, [uuid]);
      if (path !== '/conversations') continue;
      const messages = `${path}/${uuid}/messages`;
      expected.set(messages, (await get(pool, product, messages)).found);
    }
  }
  for (let n = 0; n < OF_EACH; n += 1) {
    const uuid = await sendMessage(pool, product.apiKey);
    expected.set(`/operations/${uuid}`, [uuid]);
  }
  return expected;
}

async function get(
  pool: Pool,
  { apiKey }: Product,
  path: string,
): Promise<{ readonly status: number; readonly found: readonly string[] }> {
  const { statusCode: status, body } = await pool.request({
    path: `/api/v1${path}`,
    method: 'GET',
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const { data = [] } = (await body.json()) as { readonly data?: Named | readonly Named[] };
  return { status, found: [data].flat().map(({ uuid }) => uuid) };
}
