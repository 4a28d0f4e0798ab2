/** Provider webhooks at a steady rate: customers' messages, one in each, answered once they are durable. */
import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import { startProduct, type Product } from './product.js';
import { spawnStandIns } from './spawned-stand-ins.js';
import type { Layout, Stack } from './stack.js';
import { quantile } from './statistics.js';

const RATE = Number(process.env['BENCH_RATE'] ?? 300);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 120);
const WARM_UP_SECONDS = 5;
/** Customers that write, each again and again. */
const CUSTOMERS = 2_000;
const BAR_P50_MS = 20;
const BAR_P99_MS = 250;
const PATIENCE_MS = 10 * 60_000;

export async function benchIntake(stack: Stack): Promise<void> {
  for (const [name, layout] of Object.entries(stack.layouts)) await intake(stack, name, layout);
}

async function intake(stack: Stack, name: string, layout: Layout): Promise<void> {
  const standIns = await spawnStandIns();
  const product = await startProduct(stack, { WHATSAPP_API_URL: standIns.providerUrl }, layout);
  const pool = new Pool(product.url, { connections: 32 });
  try {
    console.log(`bench intake, ${name}: ${RATE} webhooks/s for ${SECONDS} s after a warm-up`);
    await deliver(pool, product, WARM_UP_SECONDS);
    const { times, refused } = await deliver(pool, product, SECONDS);
    const p50 = quantile(times, 0.5);
    const p99 = quantile(times, 0.99);
    console.log(
      `  200 after p50 ${p50.toFixed(1)} ms (bar < ${BAR_P50_MS}), p99 ${p99.toFixed(1)} ms (bar < ${BAR_P99_MS}), worst ${Math.max(...times).toFixed(0)} ms;` +
        ` ${times.length} webhooks, ${refused} not answered 200`,
    );
    const readMs = await allRead(product);
    console.log(
      `  all messages read ${(readMs / 1000).toFixed(1)} s after the last; RSS ${product.rssMb()} MiB`,
    );
  } finally {
    await pool.destroy();
    await product.stop();
    await standIns.stop();
  }
}

let number = 0;
/** `wamid` of the last message delivered. */
let lastText = '';

/** Open loop: webhooks come at their times, however slow the answers are. */
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
  return {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '102290129340398',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '551150001111', phone_number_id: phoneNumberId },
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
            },
          },
        ],
      },
    ],
  };
}

/**
 * How long it takes, in milliseconds, until the last message shows. Messages are read side by side, but those of one
 * channel that came earlier have been taken up before it.
 */
async function allRead(product: Product): Promise<number> {
  const begun = performance.now();
  const headers = { authorization: `Bearer ${product.apiKey}` };
  for (;;) {
    const answer = await fetch(`${product.url}/api/v1/conversations?limit=100`, { headers });
    const { data } = (await answer.json()) as { data: readonly { uuid: string }[] };
    for (const { uuid } of data) {
      const shown = await fetch(`${product.url}/api/v1/conversations/${uuid}/messages?limit=5`, { headers });
      if ((await shown.text()).includes(lastText)) return performance.now() - begun;
    }
    if (performance.now() - begun > PATIENCE_MS) throw new Error('the last message does not show');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
