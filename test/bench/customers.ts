/** Customers' messages as the provider posts them, and a bench of customers who write for the first time. */
import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import { SAMPLE, webhookOf } from '../support/whatsapp-webhook.js';
import { startProduct, tellTo, type Product } from './product.js';
import { startProviderStandIn } from './provider-stand-in.js';
import { startReceiver } from './receiver.js';
import type { Layout, Stack } from './stack.js';
import { judged, median } from './statistics.js';
import { inFlight, until, WARM_UP_SECONDS } from './waits.js';

const CUSTOMERS = Number(process.env['BENCH_HEAP'] ?? 1_500);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** Customers of a round while the product warms up. */
const WARM_UP = 300;
/** Each new customer makes two events: a message and a conversation. */
const TOLD = ['message.received', 'conversation.created'];
const BAR_PER_SECOND = 1_500;
const QUIET_MS = 1_500;

/** Messages in one webhook of the provider. */
export const PER_WEBHOOK = 20;
const WEBHOOKS_IN_FLIGHT = 8;

export interface PhoneNumber {
  readonly phoneNumberId: string;
  readonly waba: string;
}

export const demoNumber = ({ credentials }: Product): PhoneNumber => ({
  phoneNumberId: credentials['phone_number_id']!,
  waba: SAMPLE.waba,
});

let written = 0;

/** One message of each customer, `PER_WEBHOOK` to a webhook. Resolves when all are answered 200. */
export async function customersWrite(
  product: Product,
  customers: readonly string[],
  to: PhoneNumber = demoNumber(product),
): Promise<void> {
  const pool = new Pool(product.url, { connections: WEBHOOKS_IN_FLIGHT });
  const webhooks = Math.ceil(customers.length / PER_WEBHOOK);
  await inFlight(webhooks, WEBHOOKS_IN_FLIGHT, async (index) => {
    const some = customers.slice(index * PER_WEBHOOK, (index + 1) * PER_WEBHOOK);
    const body = Buffer.from(JSON.stringify(messagesOf(some, to)));
    const secret = product.credentials['whatsapp_app_secret']!;
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const answer = await pool.request({
      path: '/providers/whatsapp/webhooks',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
      body,
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`a provider webhook was answered ${answer.statusCode}`);
  });
  await pool.destroy();
}

function messagesOf(customers: readonly string[], { phoneNumberId, waba }: PhoneNumber): object {
  const value = {
    contacts: customers.map((from) => ({ profile: { name: `Cliente ${from.slice(-6)}` }, wa_id: from })),
    messages: customers.map((from) => ({
      id: `wamid.bench-${Date.now().toString(36)}-${(written += 1)}`,
      from,
      timestamp: String(Math.floor(Date.now() / 1000)),
      type: 'text',
      text: { body: `Oi, meu pedido ${written} já saiu?` },
    })),
  };
  return webhookOf('messages', value, { ...SAMPLE, number: phoneNumberId, waba });
}

let made = 0;
export const newCustomers = (count: number): readonly string[] =>
  Array.from({ length: count }, () => String(5_511_960_000_000 + (made += 1)));

export async function benchCustomers(stack: Stack): Promise<void> {
  for (const [name, layout] of Object.entries(stack.layouts)) await customers(stack, name, layout);
}

async function customers(stack: Stack, name: string, layout: Layout): Promise<void> {
  const provider = await startProviderStandIn({ statuses: [] });
  const receiver = await startReceiver();
  const product = await startProduct(stack, { WHATSAPP_API_URL: provider.url }, layout);
  try {
    await tellTo(product, receiver.url, TOLD);
    const round = async (count: number): Promise<number> => {
      const told = receiver.count() + TOLD.length * count;
      const begun = performance.now();
      await customersWrite(product, newCustomers(count));
      await until(() => receiver.count() >= told, 'not every event was told');
      return (TOLD.length * count * 1000) / (performance.now() - begun);
    };
    const quiet = (): Promise<void> => until(() => receiver.quietForMs() > QUIET_MS, 'webhooks still come');
    const warmFrom = performance.now();
    while (performance.now() - warmFrom < WARM_UP_SECONDS * 1000) await round(WARM_UP);
    await quiet();
    const rates: number[] = [];
    while (rates.length < ROUNDS) {
      rates.push(await round(CUSTOMERS));
      await quiet();
    }
    const rate = median(rates);
    console.log(
      `bench customers, ${name}: ${CUSTOMERS} new customers write, ${PER_WEBHOOK} to a webhook: ` +
        `${rate.toFixed(0)} events told per second ${judged(rate >= BAR_PER_SECOND, `≥ ${BAR_PER_SECOND}`)} ` +
        `(median of ${ROUNDS}, after ${WARM_UP_SECONDS} s)`,
    );
  } finally {
    await product.stop();
    await Promise.all([provider.close(), receiver.close()]);
  }
}
