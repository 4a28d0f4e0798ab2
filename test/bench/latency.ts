/**
 * Delays at a low, a middle and a high rate, each message to a new recipient, with two statuses posted singly:
 * acceptance, the call of the provider, and the first status told to the integrator's endpoint. What the kernel wrote
 * for the product in the same time stands beside them.
 */
import { Pool } from 'undici';
import { sendMessage } from './load.js';
import { productMeasured, type Measured } from './measured.js';
import { writtenBy, type Product } from './product.js';
import { startProviderStandIn, type ProviderStandIn } from './provider-stand-in.js';
import { startReceiver } from './receiver.js';
import type { Stack } from './stack.js';
import { judged, quantile } from './statistics.js';
import { atRate, until, WARM_UP, WARM_UP_RATE } from './waits.js';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 20);
const RATES = [1, 50, 100];
const QUIET_MS = 2_000;
/** Accepted to first status told, p50 and p99 in ms, by rate. */
const BARS: Readonly<Record<number, readonly [number, number]>> = { 50: [5, 20], 100: [10, 30] };

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

export async function benchLatency(stack: Stack): Promise<void> {
  for (const [name, layout] of Object.entries(stack.layouts))
    await latency(productMeasured(stack, name, layout));
}

/** @param rates messages a second, where BENCH_RATES names no others */
export async function latency({ name, start }: Measured, rates: readonly number[] = RATES): Promise<void> {
  const chosen = process.env['BENCH_RATES']?.split(',').map(Number) ?? rates;
  // Without a delay of its own, so that the time to the first status is the product's.
  const provider = await startProviderStandIn({ statuses: ['sent', 'delivered'], gatherMs: 0, atOnce: true });
  const receiver = await startReceiver();
  const product = await start(
    { WHATSAPP_API_URL: provider.url, CHANNEL_RATE_PER_SECOND: 'off', RECIPIENT_PACING: 'off' },
    receiver.url,
  );
  provider.deliverTo(product);
  const pool = new Pool(product.url, { connections: 64 });
  try {
    console.log(`bench latency, ${name}: ${SECONDS} s at each rate, after ${WARM_UP} messages`);
    await measure({ provider, receiver, product, pool }, WARM_UP_RATE, WARM_UP);
    for (const rate of chosen) {
      const count = Math.max(20, rate * SECONDS);
      const { accepted, called, told, kB } = await measure(
        { provider, receiver, product, pool },
        rate,
        count,
      );
      const bar = BARS[rate];
      console.log(
        `  ${rate}/s: accepted ${ms(accepted)}; accepted → provider called ${ms(called)}; ` +
          `accepted → first status told ${ms(told)}${bar ? ` ${judgedBy(told, bar)}` : ''}; ` +
          `${kB.toFixed(0)} kB written per message`,
      );
    }
  } finally {
    await pool.destroy();
    await product.stop();
    await Promise.all([provider.close(), receiver.close()]);
  }
}

const judgedBy = (times: readonly number[], [p50, p99]: readonly [number, number]): string =>
  judged(quantile(times, 0.5) < p50 && quantile(times, 0.99) < p99, `< ${p50} / < ${p99}`);

const ms = (times: readonly number[]): string =>
  `p50 ${quantile(times, 0.5).toFixed(1)}, p99 ${quantile(times, 0.99).toFixed(1)} ms`;

async function measure(
  parts: {
    readonly provider: ProviderStandIn;
    readonly receiver: Receiver;
    readonly product: Product;
    readonly pool: Pool;
  },
  rate: number,
  count: number,
) {
  const { provider, receiver, product, pool } = parts;
  const acceptedAt = new Map<string, number>();
  const accepted: number[] = [];
  const before = writtenBy(product);
  await atRate(count, rate, async () => {
    const begun = performance.now();
    const uuid = await sendMessage(pool, product.apiKey);
    const at = performance.now();
    accepted.push(at - begun);
    acceptedAt.set(uuid, at);
  });
  const first = receiver.firstFor();
  await until(
    () => [...acceptedAt.keys()].every((uuid) => first.has(uuid)) && receiver.quietForMs() > QUIET_MS,
    'not every message was told',
  );
  const since = (at: (uuid: string) => number | undefined): number[] =>
    [...acceptedAt].map(([uuid, begun]) => Math.max(0, (at(uuid) ?? NaN) - begun));
  return {
    accepted,
    called: since((uuid) => provider.calledAt(uuid)),
    told: since((uuid) => first.get(uuid)),
    kB: (writtenBy(product) - before) / 1000 / count,
  };
}
