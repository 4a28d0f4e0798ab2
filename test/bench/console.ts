/**
 * The console's lists in a large company, and what open consoles cost while nothing happens: the calls that its pages
 * make, over HTTP, with sessions as people have them.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, fetch, Pool } from 'undici';
import { customersWrite, newCustomers } from './customers.js';
import { growTo } from './grow-history.js';
import { headOf, quiet } from './growth.js';
import { admin, cpuOf, startProduct, type Product } from './product.js';
import { startProviderStandIn } from './provider-stand-in.js';
import { embeddedStack, ONE, type Stack } from './stack.js';
import { judged, quantile } from './statistics.js';
import { inFlight } from './waits.js';

const MESSAGES = Number(process.env['BENCH_MESSAGES'] ?? 100_000);
const PRODUCTS = Number(process.env['BENCH_PRODUCTS'] ?? 5_000);
const READS = Number(process.env['BENCH_READS'] ?? 50);
const CONSOLES = Number(process.env['BENCH_CONSOLES'] ?? 50);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 30);
const ORDERS = 300;
const CUSTOMERS = 20;
/** Of each customer, so that a company has ten times as many messages as contacts. */
const WRITTEN = 8;
const ANSWERED = 2;
const AT_ONCE = 4;
const PAGES_DEEP = 20;
const BAR_MS = 200;
const BAR_SHARE = 0.05;
const TURNS = Number(process.env['BENCH_TURNS'] ?? 3);
const SETTLE_MS = 5_000;
/** Of a core: an idle process has a few timers. */
const QUIET_SHARE = 0.03;
const PATIENCE_MS = 30 * 60_000;

interface Row {
  readonly uuid: string;
}
interface Page {
  readonly data: readonly Row[];
  readonly meta: { readonly next_cursor: string | null };
}

export async function benchConsole(stack: Stack): Promise<void> {
  if (stack.kind === 'real') {
    console.log('bench console: it fills the embedded store; run it with: npm run bench -- console');
    return;
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'recado-console-'));
  const provider = await startProviderStandIn({ statuses: true });
  const open = async (): Promise<Product> => {
    const product = await startProduct(
      embeddedStack,
      {
        WHATSAPP_API_URL: provider.url,
        CHANNEL_RATE_PER_SECOND: 'off',
        RECIPIENT_PACING: 'off',
        CONSOLE: 'on',
      },
      ONE,
      dataDir,
    );
    provider.deliverTo(product);
    return product;
  };
  try {
    const events = await fill(open, dataDir);
    const product = await open();
    try {
      await addShop(product);
      console.log(
        `bench console: ${MESSAGES} messages, ${MESSAGES / (WRITTEN + ANSWERED)} contacts, ${PRODUCTS} products, ${ORDERS} orders, ${events} events`,
      );
      await measureLists(product);
      await settle(product);
      await measureIdle(product);
      console.log(`  RSS ${product.rssMb()} MiB`);
    } finally {
      await product.stop();
    }
  } finally {
    await provider.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Some customers write and are answered through the whole product; their events are then repeated. */
async function fill(open: () => Promise<Product>, dataDir: string): Promise<number> {
  const product = await open();
  let from: number;
  let keep: readonly string[];
  let perCopy: number;
  try {
    await quiet(product);
    from = (await headOf(product)) + 1;
    keep = ['company_uuid', 'integration_uuid', 'channel_uuid'].map((name) => product.credentials[name]!);
    const customers = newCustomers(CUSTOMERS);
    for (let round = 0; round < WRITTEN; round += 1) await customersWrite(product, customers);
    await quiet(product);
    const path = `/companies/${product.credentials['company_uuid']}/conversations?limit=${CUSTOMERS}`;
    for (const { uuid } of await admin<readonly Row[]>(product, 'GET', path))
      for (let n = 0; n < ANSWERED; n += 1) await answer(product, uuid, `Já vou ver, um momento (${n + 1})`);
    await quiet(product);
    perCopy = (await headOf(product)) - from + 1;
  } finally {
    await product.stop();
  }
  const copies = MESSAGES / (CUSTOMERS * (WRITTEN + ANSWERED));
  const begun = performance.now();
  const filled = await growTo(dataDir, Math.round(copies * perCopy) + from - 1, { from, keep });
  console.log(`  filled in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  return filled;
}

async function answer(product: Product, conversation: string, text: string): Promise<void> {
  const { admin_url: root, admin_token: token } = product.credentials;
  const { ok, status } = await fetch(`${root}/conversations/${conversation}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ type: 'text', content: { text } }),
  });
  if (!ok) throw new Error(`an answer to a customer was answered ${status}`);
}

async function addShop(product: Product): Promise<void> {
  const store = `/companies/${product.credentials['company_uuid']}/store`;
  const made: string[] = [];
  // A store takes no more than 5,000, with those of the demo.
  const there = await admin<readonly Row[]>(product, 'GET', `${store}/products?limit=100`);
  await inFlight(PRODUCTS - there.length, AT_ONCE, async (n) => {
    const body = {
      name: `Caneca ${n.toString(36)} de louça`,
      price: (9.9 + (n % 90)).toFixed(2),
      stock: 1_000,
    };
    made.push((await admin<Row>(product, 'POST', `${store}/products`, body)).uuid);
  });
  await inFlight(ORDERS, AT_ONCE, async (n) => {
    await admin(product, 'POST', `${store}/orders`, {
      items: [{ product_uuid: made[n % made.length], quantity: 1 }],
      customer: { name: `Cliente ${n}`, phone: `+55119${70_000_000 + n}` },
      fulfillment: { type: 'pickup' },
      payment: { method: 'pix' },
    });
  });
}

/** The lists, as the pages ask for them. */
/** Before the first event. */
const LONG_AGO = '2020-01-01T00:00:00Z';

function listsOf(company: string): Readonly<Record<string, string>> {
  const own = `/companies/${company}`;
  return {
    inbox: `${own}/conversations?status=open&limit=50`,
    'inbox, unread and nobody’s': `${own}/conversations?status=open&agent=none&unread=true&limit=50`,
    contacts: `${own}/contacts?limit=50`,
    'contacts by name': `${own}/contacts?query=cliente&limit=50`,
    'sent messages': `${own}/messages?limit=50`,
    'sent messages, failed': `${own}/messages?status=failed&limit=50`,
    'orders, a column': `${own}/store/orders?status=novo&limit=30`,
    products: `${own}/store/products?limit=50`,
    'products by name': `${own}/store/products?query=caneca&limit=50`,
    'products, few left': `${own}/store/products?stock_at_most=3&limit=50`,
    history: `/events?order=desc&company=${company}&limit=50`,
    'history, a type that is rare': `/events?order=desc&types=CompanyRegistered&company=${company}&limit=50`,
    'history, an actor who is rare': `/events?order=desc&actor=nobody&company=${company}&limit=50`,
    audit: `/audit?company=${company}&limit=50`,
    'audit, by person and kind': `/audit?company=${company}&actor=admin&kind=order&limit=50`,
    'audit, since a time': `/audit?company=${company}&from=${LONG_AGO}&limit=50`,
    flows: `${own}/flows?limit=50`,
    templates: `${own}/templates?limit=50`,
    integrations: `${own}/integrations?limit=50`,
    operations: `/operations?company=${company}&limit=100`,
    deliveries: `/deliveries?company=${company}&limit=50`,
    'runs of flows': `/executions?company=${company}&limit=50`,
  };
}

async function measureLists(product: Product): Promise<void> {
  const { admin_url: root, admin_token: token, company_uuid: company } = product.credentials;
  const url = new URL(root!);
  const pool = new Pool(url.origin, { connections: 1 });
  const read = async (path: string): Promise<readonly [Page, number]> => {
    const begun = performance.now();
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path: url.pathname + path,
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text}`);
    return [JSON.parse(text) as Page, performance.now() - begun];
  };
  try {
    for (const [name, path] of Object.entries(listsOf(company!))) {
      await read(path);
      const times: number[] = [];
      for (let n = 0; n < READS; n += 1) times.push((await read(path))[1]);
      const deep: number[] = [];
      let after: string | null = null;
      for (let n = 0; n < PAGES_DEEP; n += 1) {
        const [page, ms] = await read(after === null ? path : `${path}&after=${encodeURIComponent(after)}`);
        deep.push(ms);
        after = page.meta.next_cursor;
        if (after === null) break;
      }
      const worst = Math.max(quantile(times, 0.99), ...deep);
      console.log(
        `  ${name}: p50 ${quantile(times, 0.5).toFixed(1)} ms, slowest of ${READS} and of ${deep.length} pages ${worst.toFixed(1)} ms ${judged(worst < BAR_MS, `< ${BAR_MS} ms`)}`,
      );
    }
  } finally {
    await pool.destroy();
  }
}

/** What the overview, which asks most, reads by time: the rest waits for changes. */
const BY_TIME = [
  ['/status', 15],
  ['/doctor', 60],
  ['/backups', 60],
  ['/sessions', 60],
] as const;

interface Counts {
  readonly counts: Readonly<Record<string, number | null>>;
  readonly lags: readonly { readonly messages: number }[] | null;
  readonly positions: Readonly<Record<string, string | null>>;
}

/**
 * Waits until nothing that the filling set going is left: workers have read their topics, read models have reached the
 * history, nothing is queued or being delivered, and the process, with all upkeep of its store, takes next to no CPU.
 */
async function settle(product: Product): Promise<void> {
  const begun = performance.now();
  for (;;) {
    const before = cpuOf(product);
    await wait(SETTLE_MS);
    const share = (cpuOf(product) - before) / (SETTLE_MS / 1000);
    const left = await leftToDo(product);
    if (left.length === 0 && share < QUIET_SHARE) break;
    if (performance.now() - begun > PATIENCE_MS)
      throw new Error(`not quiet: ${left.join(', ')}; ${(share * 100).toFixed(1)} % of a core`);
  }
  console.log(`  quiet after ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}

async function leftToDo(product: Product): Promise<readonly string[]> {
  const { counts, lags, positions } = await admin<Counts>(product, 'GET', '/status');
  const { history, ...models } = positions;
  return [
    ...Object.entries(counts).filter(
      ([name, n]) => n !== 0 && /^(lag_|operations_(queued|processing)|deliveries_pending)/.test(name),
    ),
    ...(lags ?? []).filter(({ messages }) => messages > 0).map(({ messages }) => ['lag', messages]),
    ...Object.entries(models).filter(([, at]) => at !== null && at !== history),
  ].map(([name, n]) => `${name} ${n}`);
}

/** Takes turns, because the machine has other work: without consoles, with their streams, at the overview. */
async function measureIdle(product: Product): Promise<void> {
  const turns = { alone: [] as number[], streams: [] as number[], overviews: [] as number[] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    turns.alone.push(await secondsOf(product));
    const over = new AbortController();
    const dispatcher = new Agent({ bodyTimeout: 0, headersTimeout: 0 });
    try {
      const consoles = await openConsoles(product, over.signal, dispatcher);
      await settle(product);
      turns.streams.push(await secondsOf(product));
      const ended = consoles.lookAt(BY_TIME);
      turns.overviews.push(await secondsOf(product));
      over.abort();
      await ended;
    } finally {
      over.abort();
      await dispatcher.destroy();
    }
    await settle(product);
  }
  const told = (seconds: readonly number[]): string => seconds.map((each) => each.toFixed(2)).join(', ');
  const added = (seconds: readonly number[]): string => {
    const share = (quantile(seconds, 0.5) - quantile(turns.alone, 0.5)) / SECONDS;
    return `${told(seconds)} s: ${(share * 100).toFixed(1)} % of a core more ${judged(share < BAR_SHARE, '< 5 %')}`;
  };
  console.log(
    `  nothing happens, CPU of the process in ${SECONDS} s, ${TURNS} turns: alone ${told(turns.alone)} s`,
  );
  console.log(`    ${CONSOLES} open consoles ${added(turns.streams)}`);
  console.log(`    ${CONSOLES} at the overview ${added(turns.overviews)}`);
}

async function openConsoles(product: Product, signal: AbortSignal, dispatcher: Agent) {
  const cookies: string[] = [];
  for (let n = 0; n < CONSOLES; n += 1) cookies.push(await signIn(product));
  const { admin_url: root, company_uuid: company } = product.credentials;
  const call = (cookie: string, path: string) =>
    fetch(root + path, { headers: { cookie, 'x-recado-console': '1' }, signal, dispatcher });
  await Promise.all(
    cookies.map(async (cookie) => {
      const { body, status } = await call(cookie, `/companies/${company}/live`);
      if (status !== 200 || body === null) throw new Error(`a stream was answered ${status}`);
      void body.pipeTo(new WritableStream()).catch(() => undefined);
    }),
  );
  return {
    lookAt: (paths: typeof BY_TIME) =>
      Promise.allSettled(
        cookies.flatMap((cookie) =>
          paths.map(async ([path, seconds]) => {
            // Pages are opened at different times.
            await wait(Math.random() * seconds * 1000, undefined, { signal });
            for (;;) {
              await (await call(cookie, path)).text();
              await wait(seconds * 1000, undefined, { signal });
            }
          }),
        ),
      ),
  };
}

async function secondsOf(product: Product): Promise<number> {
  const before = cpuOf(product);
  await wait(SECONDS * 1000);
  return cpuOf(product) - before;
}

/** As the link of `recado console open` does; returns the session's cookie. */
async function signIn(product: Product): Promise<string> {
  const { token } = await admin<{ readonly token: string }>(product, 'POST', '/session/links');
  const answer = await fetch(`${product.credentials['admin_url']}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-recado-console': '1' },
    body: JSON.stringify({ link_token: token }),
  });
  if (!answer.ok) throw new Error(`the sign-in answered ${answer.status}: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}
