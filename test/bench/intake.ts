/** Provider webhooks at a steady rate, each with one customer message. Each is answered once it is durable. */
import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import { cpuOf, startProduct, type Product } from './product.js';
import { SAMPLE, webhookOf } from '../support/whatsapp-webhook.js';
import { spawnStandIns, type StandIns } from './spawned-stand-ins.js';
import type { Layout, Stack } from './stack.js';
import { quantile } from './statistics.js';

const RATE = Number(process.env['BENCH_RATE'] ?? 300);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 120);
const WARM_UP_SECONDS = 5;
/** Number of customers; each writes repeatedly. */
const CUSTOMERS = 2_000;
/** The integrator's subscription: every message, and each customer's new conversation. */
const TOLD = ['message.received', 'conversation.created'];
const BAR_P50_MS = 20;
const BAR_P99_MS = 250;
const PATIENCE_MS = 10 * 60_000;
const QUIET_MS = 2_000;

export async function benchIntake(stack: Stack): Promise<void> {
  for (const [name, layout] of Object.entries(stack.layouts)) await intake(stack, name, layout);
}

async function intake(stack: Stack, name: string, layout: Layout): Promise<void> {
  const standIns = await spawnStandIns();
  const product = await startProduct(stack, { WHATSAPP_API_URL: standIns.providerUrl }, layout);
  const pool = new Pool(product.url, { connections: 32 });
  try {
    await standIns.attach(product, TOLD);
    console.log(`bench intake, ${name}: ${RATE} webhooks/s for ${SECONDS} s after a warm-up`);
    await deliver(pool, product, WARM_UP_SECONDS);
    const cpuBefore = cpuOf(product);
    const { times, refused } = await deliver(pool, product, SECONDS);
    const p50 = quantile(times, 0.5);
    const p99 = quantile(times, 0.99);
    console.log(
      `  200 after p50 ${p50.toFixed(1)} ms (bar < ${BAR_P50_MS}), p99 ${p99.toFixed(1)} ms (bar < ${BAR_P99_MS}), worst ${Math.max(...times).toFixed(0)} ms;` +
        ` ${times.length} webhooks, ${refused} not answered 200`,
    );
    const told = await allTold(standIns);
    console.log(
      `  all read and told ${(told.ms / 1000).toFixed(1)} s after the last (${told.webhooks} webhooks); RSS ${product.rssMb()} MiB`,
    );
    const cpuMs = (1000 * (cpuOf(product) - cpuBefore)) / times.length;
    console.log(`  CPU for each webhook, until all was read and told: ${cpuMs.toFixed(2)} ms`);
    await lastShows(product);
  } finally {
    await pool.destroy();
    await product.stop();
    await standIns.stop();
  }
}

let number = 0;
/** Text of the last message delivered. */
let lastText = '';

/** Open loop: webhooks are sent on schedule, however slow the answers are. */
async function deliver(
  pool: Pool,
  product: Product,
  seconds: number,
): Promise<{ readonly times: readonly number[]; readonly refused: number }> {
  const secret = product.credentials['whatsapp_app_secret']!;
  const times: number[] = [];
  let refused = 0;
  const one = async (): Promise<void> => {
    const body = Buffer.from(JSON.stringify(inbound(product.credentials['phone_number_id']!)));
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const begun = performance.now();
    const answer = await pool.request({
      path: '/providers/whatsapp/webhooks',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
      body,
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) refused += 1;
    times.push(performance.now() - begun);
  };
  const start = performance.now();
  const underWay: Promise<void>[] = [];
  while (performance.now() - start < seconds * 1000) {
    const due = ((performance.now() - start) / 1000) * RATE;
    while (underWay.length < due) underWay.push(one());
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(underWay);
  return { times, refused };
}

function inbound(phoneNumberId: string): object {
  number += 1;
  const from = String(5_511_970_000_000 + (number % CUSTOMERS));
  lastText = `Oi, meu pedido ${Date.now().toString(36)}${number} já saiu?`;
  const value = {
    contacts: [{ profile: { name: `Cliente ${number % CUSTOMERS}` }, wa_id: from }],
    messages: [
      {
        id: `wamid.bench-${Date.now().toString(36)}-${number}`,
        from,
        timestamp: String(Math.floor(Date.now() / 1000)),
        type: 'text',
        text: { body: lastText },
      },
    ],
  };
  return webhookOf('messages', value, { ...SAMPLE, number: phoneNumberId });
}

/**
 * Waits until the integrator's webhooks stop arriving. It polls only the stand-ins, so that the product is not
 * disturbed.
 */
async function allTold(standIns: StandIns): Promise<{ readonly ms: number; readonly webhooks: number }> {
  const begun = performance.now();
  let last = { ms: 0, webhooks: 0 };
  while (performance.now() - begun - last.ms < QUIET_MS) {
    const { webhooks } = await standIns.counts();
    if (webhooks !== last.webhooks) last = { ms: performance.now() - begun, webhooks };
    if (last.ms > PATIENCE_MS) throw new Error('webhooks still come');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return last;
}

/** @throws Error unless the API returns the last message */
async function lastShows(product: Product): Promise<void> {
  const headers = { authorization: `Bearer ${product.apiKey}` };
  let page: string | null = '';
  while (page !== null) {
    const answer = await fetch(`${product.url}/api/v1/conversations?limit=100${page}`, { headers });
    const { data, meta } = (await answer.json()) as {
      data: readonly { uuid: string }[];
      meta: { next_cursor: string | null };
    };
    for (const { uuid } of data) {
      const shown = await fetch(`${product.url}/api/v1/conversations/${uuid}/messages?limit=5`, { headers });
      if ((await shown.text()).includes(lastText)) return;
    }
    page = meta.next_cursor === null ? null : `&cursor=${encodeURIComponent(meta.next_cursor)}`;
  }
  throw new Error('the last message does not show');
}
