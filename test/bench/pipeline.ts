/**
 * From acceptance to the call of the provider and to the integrator's webhook, without pacing, with three statuses for
 * every message. First measures the capacity (by draining a backlog of messages), then the delays at half of it.
 */
import { Pool } from 'undici';
import { sendMessage } from './load.js';
import { productMeasured, type Measured } from './measured.js';
import { cpuOf, type Product } from './product.js';
import { startProviderStandIn } from './provider-stand-in.js';
import { startReceiver } from './receiver.js';
import type { Stack } from './stack.js';
import { judged, quantile } from './statistics.js';
import { atRate, WARM_UP, WARM_UP_RATE } from './waits.js';

const HEAP = Number(process.env['BENCH_HEAP'] ?? 3000);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 15);
const PATIENCE_MS = 10 * 60_000;
const BAR_PER_SECOND = 400;
const BAR_CALL_MS = 100;
const BAR_WEBHOOK_MS = 300;

export async function benchPipeline(stack: Stack): Promise<void> {
  for (const [name, layout] of Object.entries(stack.layouts))
    await pipeline(productMeasured(stack, name, layout));
}

export async function pipeline({ name, start }: Measured): Promise<void> {
  const provider = await startProviderStandIn({ statuses: true });
  const receiver = await startReceiver();
  const product = await start(
    { WHATSAPP_API_URL: provider.url, CHANNEL_RATE_PER_SECOND: 'off', RECIPIENT_PACING: 'off' },
    receiver.url,
  );
  provider.deliverTo(product);
  const pool = new Pool(product.url, { connections: 64 });
  const send = sender(pool, product);

  await atRate(WARM_UP, WARM_UP_RATE, send);
  await until(() => provider.calls() >= WARM_UP && receiver.firstFor().size >= WARM_UP);
  console.log(
    `bench pipeline, ${name}: capacity over ${HEAP} messages, after ${WARM_UP}, then ${SECONDS} s at half of it`,
  );
  const [begun, cpu] = [performance.now(), cpuOf(product)];
  await burst(send, HEAP);
  await until(() => provider.calls() >= WARM_UP + HEAP && receiver.firstFor().size >= WARM_UP + HEAP);
  const capacity = (HEAP / (performance.now() - begun)) * 1000;
  const cpuUs = Math.round(((cpuOf(product) - cpu) / HEAP) * 1e6);
  console.log(
    `  capacity ${capacity.toFixed(0)} messages/s, accepted to first webhook received ` +
      `${judged(capacity >= BAR_PER_SECOND, `≥ ${BAR_PER_SECOND}`)}; ${cpuUs} µs of CPU per message until then`,
  );
  await until(() => receiver.quietForMs() > 1500);

  const accepted = new Map<string, number>();
  const rate = capacity / 2;
  const from = performance.now();
  const underWay: Promise<void>[] = [];
  let sent = 0;
  while (performance.now() - from < SECONDS * 1000) {
    const due = Math.floor(((performance.now() - from) / 1000) * rate);
    for (; sent < due; sent += 1) {
      underWay.push(
        send().then((uuid) => {
          accepted.set(uuid, performance.now());
        }),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(underWay);
  const webhooks = receiver.firstFor();
  await until(() =>
    [...accepted.keys()].every((uuid) => provider.calledAt(uuid) !== undefined && webhooks.has(uuid)),
  );
  const calls: number[] = [];
  const told: number[] = [];
  for (const [uuid, at] of accepted) {
    calls.push(Math.max(0, provider.calledAt(uuid)! - at));
    told.push(Math.max(0, webhooks.get(uuid)! - at));
  }
  console.log(`  at half load (${rate.toFixed(0)}/s, ${accepted.size} messages):`);
  console.log(
    `    accepted → provider called: p50 ${quantile(calls, 0.5).toFixed(1)} ms, p99 ${quantile(calls, 0.99).toFixed(1)} ms (bar < ${BAR_CALL_MS})`,
  );
  console.log(
    `    accepted → webhook received: p50 ${quantile(told, 0.5).toFixed(1)} ms, p99 ${quantile(told, 0.99).toFixed(1)} ms (bar < ${BAR_WEBHOOK_MS})`,
  );
  console.log(`  RSS ${product.rssMb()} MiB; webhooks received ${receiver.count()}`);
  await pool.destroy();
  await product.stop();
  await Promise.all([provider.close(), receiver.close()]);
}

type Send = () => Promise<string>;

const sender =
  (pool: Pool, product: Product): Send =>
  () =>
    sendMessage(pool, product.apiKey);

async function burst(send: Send, count: number): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (left > 0) {
        left -= 1;
        await send();
      }
    }),
  );
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('the pipeline did not get there in time');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
