/**
 * Webhooks: deliveries per second to one endpoint and to ten, beside a bare undici loop in turns; the time from an
 * event's commit until its webhook is received; and that time for quick endpoints among a hundred, while a tenth of them
 * is slow and while none is.
 */
import { once } from 'node:events';
import { Pool } from 'undici';
import type { BareWork } from './bare-sender.js';
import { customersWrite, newCustomers, type PhoneNumber } from './customers.js';
import { startEndpoints, type Endpoints } from './endpoints.js';
import { spawnNode, stopChild } from './processes.js';
import { admin, startProduct, tellTo, type Product } from './product.js';
import { startProviderStandIn } from './provider-stand-in.js';
import type { Layout, Stack } from './stack.js';
import { judged, median, quantile } from './statistics.js';
import { atRate, pause, until } from './waits.js';

const DELIVERIES = Number(process.env['BENCH_HEAP'] ?? 5_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 20);
const RATE = Number(process.env['BENCH_RATE'] ?? 50);
/** Customers whose messages are delivered; they have written before. */
const CUSTOMERS = 250;
const MANY = 100;
const SLOW_MS = 3_000;
/** The product's own limit for one endpoint. */
const PER_ENDPOINT = 10;
const QUIET_MS = 1_500;
const BAR_P50_MS = 2;
const BAR_P99_MS = 10;
const BAR_SLOWED = 1.1;

export async function benchWebhooks(stack: Stack): Promise<void> {
  for (const [name, layout] of Object.entries(stack.layouts)) await webhooks(stack, name, layout);
}

async function webhooks(stack: Stack, name: string, layout: Layout): Promise<void> {
  const provider = await startProviderStandIn({ statuses: [] });
  const endpoints = await startEndpoints(SLOW_MS);
  const product = await startProduct(stack, { WHATSAPP_API_URL: provider.url }, layout);
  const bare = await spawnNode('test/bench/bare-sender.js', {}, (line) =>
    line.includes('up') ? 'up' : null,
  );
  const post = async (work: BareWork): Promise<void> => {
    bare.child.send(work);
    await once(bare.child, 'message');
  };
  try {
    console.log(`bench webhooks, ${name}`);
    await tellTo(product, endpoints.url(0), ['message.received']);
    const customers = newCustomers(CUSTOMERS);
    for (let warm = 0; warm < 3; warm += 1) await customersWrite(product, customers);
    await quiet(endpoints, QUIET_MS);
    for (const count of [1, 10]) {
      for (let n = 1; n < count; n += 1) await addEndpoint(product, endpoints.url(n));
      await throughput(product, endpoints, post, customers, count);
    }
    await tellTo(product, endpoints.url(0), ['conversation.updated']);
    await committedToReceived(product, endpoints);
    await manyEndpoints(product, endpoints);
  } finally {
    await Promise.all([product.stop(), stopChild(bare.child)]);
    await Promise.all([provider.close(), endpoints.close()]);
  }
}

const quiet = (endpoints: Endpoints, ms: number): Promise<void> =>
  until(() => endpoints.quietForMs() > ms, 'webhooks still come');

const addEndpoint = (product: Product, url: string): Promise<unknown> =>
  admin(product, 'POST', `/integrations/${product.credentials['integration_uuid']}/webhooks`, {
    url,
    event_types: ['message.received'],
  });

async function throughput(
  product: Product,
  endpoints: Endpoints,
  post: (work: BareWork) => Promise<void>,
  customers: readonly string[],
  count: number,
): Promise<void> {
  const events = DELIVERIES / count;
  const rounds: (readonly [own: number, bare: number])[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    await quiet(endpoints, QUIET_MS);
    const before = endpoints.count();
    const own = await perSecond(async () => {
      for (let left = events; left > 0; left -= CUSTOMERS) {
        await customersWrite(product, customers.slice(0, left));
      }
      await until(() => endpoints.count() >= before + DELIVERIES, 'not every event was delivered');
    });
    const urls = Array.from({ length: count }, (_none, n) => endpoints.url(n));
    const body = endpoints.lastBody();
    const bare = await perSecond(() => post({ urls, each: events, most: PER_ENDPOINT, body }));
    // The first round warms both up.
    if (round >= 0) rounds.push([own, bare]);
  }
  const ratio = median(rounds.map(([own, bare]) => own / bare));
  console.log(
    `  ${DELIVERIES} deliveries as customers write, ${count === 1 ? 'one endpoint' : `${count} endpoints`}: ` +
      `${median(rounds.map(([own]) => own)).toFixed(0)}/s, bare undici ${median(rounds.map(([, bare]) => bare)).toFixed(0)}/s, ` +
      `ratio ${ratio.toFixed(2)} (medians of ${ROUNDS})`,
  );
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return (DELIVERIES * 1000) / (performance.now() - begun);
}

async function committedToReceived(product: Product, endpoints: Endpoints): Promise<void> {
  const conversations = await conversationsOf(product, product.credentials['company_uuid']!);
  const changes = changer(product, endpoints);
  const one = (index: number): Promise<number> =>
    changes.change(conversations[index % conversations.length]!);
  await atRate(RATE * 5, RATE, one);
  const times: number[] = [];
  await atRate(RATE * SECONDS, RATE, async (index) => times.push(await one(index)));
  await changes.close();
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  console.log(
    `  event committed → webhook received, one endpoint, ${RATE}/s: p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms ` +
      judged(p50 < BAR_P50_MS && p99 < BAR_P99_MS, `< ${BAR_P50_MS} / < ${BAR_P99_MS}`),
  );
}

/** One endpoint for each of so many companies, so that an event has one delivery. */
async function manyEndpoints(product: Product, endpoints: Endpoints): Promise<void> {
  const companies: (readonly string[])[] = [];
  for (let n = 0; n < MANY; n += 1) companies.push(await addCompany(product, n, endpoints.url(n)));
  const slow = new Set(Array.from({ length: MANY / 10 }, (_none, n) => n * 10));
  const changes = changer(product, endpoints);
  const quickOnes = async (): Promise<number> => {
    const times: number[] = [];
    await atRate(RATE * SECONDS, RATE, async (index) => {
      const company = index % MANY;
      const conversations = companies[company]!;
      const took = await changes.change(conversations[Math.floor(index / MANY) % conversations.length]!);
      if (!slow.has(company)) times.push(took);
    });
    await quiet(endpoints, SLOW_MS + QUIET_MS);
    return quantile(times, 0.99);
  };
  await quickOnes();
  const rounds: (readonly [without: number, beside: number])[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    endpoints.slow(new Set());
    const without = await quickOnes();
    endpoints.slow(slow);
    rounds.push([without, await quickOnes()]);
  }
  await changes.close();
  const ratio = median(rounds.map(([without, beside]) => beside / without));
  console.log(
    `  ${MANY} endpoints, ${RATE} events/s: p99 of the quick ones ${median(rounds.map(([without]) => without)).toFixed(1)} ms, ` +
      `with a tenth that answers after ${SLOW_MS / 1000} s ${median(rounds.map(([, beside]) => beside)).toFixed(1)} ms, ` +
      `ratio ${ratio.toFixed(2)} ${judged(ratio <= BAR_SLOWED, `≤ ${BAR_SLOWED}`)} (medians of ${ROUNDS}, in turns)`,
  );
}

/** A company with an endpoint and a few conversations, which it returns. */
async function addCompany(product: Product, index: number, url: string): Promise<readonly string[]> {
  const company = await admin<{ uuid: string }>(product, 'POST', '/companies', { name: `Loja ${index}` });
  const own = `/companies/${company.uuid}`;
  const integration = await admin<{ uuid: string }>(product, 'POST', `${own}/integrations`, { name: 'ERP' });
  const number: PhoneNumber = {
    phoneNumberId: String(106_540_352_400_000 + index),
    waba: String(102_290_129_400_000 + index),
  };
  await admin(product, 'POST', `${own}/channels`, {
    phone_number_id: number.phoneNumberId,
    waba_id: number.waba,
    access_token: 'bench-token',
  });
  await admin(product, 'POST', `/integrations/${integration.uuid}/webhooks`, {
    url,
    event_types: ['conversation.updated'],
  });
  await customersWrite(product, newCustomers(4), number);
  return conversationsOf(product, company.uuid, 4);
}

async function conversationsOf(product: Product, company: string, atLeast = 1): Promise<readonly string[]> {
  for (;;) {
    const path = `/companies/${company}/conversations?limit=100`;
    const found = await admin<readonly { uuid: string }[]>(product, 'GET', path);
    if (found.length >= atLeast) return found.map(({ uuid }) => uuid);
    await pause(20);
  }
}

/** Changes conversations back and forth by the admin API, which answers once the event is committed. */
function changer(product: Product, endpoints: Endpoints) {
  const pool = new Pool(product.url, { connections: 16 });
  const resolved = new Set<string>();
  const base = new URL(product.credentials['admin_url']!).pathname;
  const headers = { authorization: `Bearer ${product.credentials['admin_token']}` };
  return {
    /** Time from the answer to the webhook, in ms. */
    async change(conversation: string): Promise<number> {
      const received = endpoints.expect(conversation);
      const way = resolved.delete(conversation) ? 'reopen' : 'resolve';
      if (way === 'resolve') resolved.add(conversation);
      const path = `${base}/conversations/${conversation}/${way}`;
      const answer = await pool.request({ path, method: 'POST', headers });
      const answeredAt = performance.now();
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`${way} was answered ${answer.statusCode}`);
      return Math.max(0, (await received) - answeredAt);
    },
    close: () => pool.destroy(),
  };
}
