/**
 * What a message costs while many wait: a heap of messages to new recipients is accepted on one channel, which sends at
 * its default pace. Then CPU and what the kernel wrote, for each message that the provider was called for, with its two
 * statuses and their webhooks.
 */
import { Pool } from 'undici';
import { sendMessage } from './load.js';
import { cpuOf, startProduct, tellTo, writtenBy } from './product.js';
import { startProviderStandIn } from './provider-stand-in.js';
import { startReceiver } from './receiver.js';
import type { Layout, Stack } from './stack.js';
import { judged } from './statistics.js';
import { atRate, inFlight, pause, until } from './waits.js';

const WAITING = Number(process.env['BENCH_WAITING'] ?? 25_000);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 30);
/** The default pace of a channel. */
const PER_SECOND = 60;
const WARM_UP = 300;
const QUIET_MS = 1_500;
const BAR_CPU_MS = 4.5;

export async function benchBacklog(stack: Stack): Promise<void> {
  for (const [name, layout] of Object.entries(stack.layouts)) await backlog(stack, name, layout);
}

async function backlog(stack: Stack, name: string, layout: Layout): Promise<void> {
  const provider = await startProviderStandIn({ statuses: ['sent', 'delivered'], gatherMs: 0 });
  const receiver = await startReceiver();
  const product = await startProduct(stack, { WHATSAPP_API_URL: provider.url }, layout);
  const pool = new Pool(product.url, { connections: 32 });
  try {
    provider.deliverTo(product);
    await tellTo(product, receiver.url);
    const send = (): Promise<string> => sendMessage(pool, product.apiKey);
    await atRate(WARM_UP, PER_SECOND, send);
    await until(
      () => provider.calls() >= WARM_UP && receiver.quietForMs() > QUIET_MS,
      'the warm-up was not told',
    );
    const measure = async (): Promise<Cost> => {
      const [cpu, written, calls, begun] = [
        cpuOf(product),
        writtenBy(product),
        provider.calls(),
        performance.now(),
      ];
      await pause(SECONDS * 1000);
      const sent = provider.calls() - calls;
      return {
        cpuMs: (1000 * (cpuOf(product) - cpu)) / sent,
        kB: (writtenBy(product) - written) / 1000 / sent,
        perSecond: (1000 * sent) / (performance.now() - begun),
      };
    };
    const alone = await beside(measure, () => atRate(PER_SECOND * (SECONDS + 4), PER_SECOND, send));
    const acceptedBefore = provider.calls();
    await until(() => receiver.quietForMs() > QUIET_MS, 'webhooks still come');
    await inFlight(WAITING, 32, send);
    // What acceptance left to do is not the cost of waiting.
    await pause(5_000);
    const first = WAITING - (provider.calls() - acceptedBefore);
    const crowded = await measure();
    const last = WAITING - (provider.calls() - acceptedBefore);
    console.log(
      `bench backlog, ${name}: with ${first} to ${last} waiting on one channel at ${PER_SECOND}/s: ${said(crowded)} ` +
        judged(crowded.cpuMs <= BAR_CPU_MS, `≤ ${BAR_CPU_MS} ms`),
    );
    console.log(
      `  none waiting, accepted and sent at ${PER_SECOND}/s: ${said(alone)}, acceptance included; RSS ${product.rssMb()} MiB`,
    );
  } finally {
    await pool.destroy();
    await product.stop();
    await Promise.all([provider.close(), receiver.close()]);
  }
}

interface Cost {
  readonly cpuMs: number;
  readonly kB: number;
  readonly perSecond: number;
}

const said = ({ cpuMs, kB, perSecond }: Cost): string =>
  `${cpuMs.toFixed(1)} ms of CPU and ${kB.toFixed(0)} kB written per message (${perSecond.toFixed(0)} sent/s)`;

/** The result of `measure`, begun two seconds after `load` and over before it ends. */
async function beside<T>(measure: () => Promise<T>, load: () => Promise<unknown>): Promise<T> {
  const loaded = load();
  await pause(2_000);
  const result = await measure();
  await loaded;
  return result;
}
