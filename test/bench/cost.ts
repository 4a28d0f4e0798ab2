/** CPU of the product per message through the whole pipeline, and the requests per message to the servers. */
import { Pool } from 'undici';
import { sendMessage } from './load.js';
import { productMeasured, type Measured } from './measured.js';
import { cpuOf, type Product } from './product.js';
import { startProviderStandIn } from './provider-stand-in.js';
import { startReceiver } from './receiver.js';
import { judged } from './statistics.js';
import { watchRoundTrips } from './round-trip-table.js';
import type { Stack } from './stack.js';
import { atRate, until, WARM_UP_SECONDS } from './waits.js';

const COUNT = Number(process.env['BENCH_HEAP'] ?? 1200);
/** Longer than a notification waits for the read models before it is postponed. */
const QUIET_MS = { embedded: 1_500, real: 7_000 };
const RATE = Number(process.env['BENCH_RATE'] ?? 100);
const WARM_UP = RATE * WARM_UP_SECONDS;
/** Of the embedded store, at 100 messages a second. */
const BAR_MS = 3.5;

export async function benchCost(stack: Stack): Promise<void> {
  for (const [name, layout] of Object.entries(stack.layouts))
    await cost(productMeasured(stack, name, layout));
}

const PHASES = ['to new recipients', 'to known recipients'] as const;

export async function cost(
  { name, kind, start }: Measured,
  phases: readonly (typeof PHASES)[number][] = PHASES,
): Promise<void> {
  const provider = await startProviderStandIn({ statuses: ['sent', 'delivered'], gatherMs: 0 });
  const receiver = await startReceiver();
  const product = await start(
    { WHATSAPP_API_URL: provider.url, CHANNEL_RATE_PER_SECOND: 'off', RECIPIENT_PACING: 'off' },
    receiver.url,
  );
  provider.deliverTo(product);
  const pool = new Pool(product.url, { connections: 16 });
  let phones: readonly string[] = [];
  let sent = 0;
  for (const phase of ['warm-up', ...phases] as const) {
    const count = phase === 'warm-up' ? WARM_UP : COUNT;
    if (phase !== 'to known recipients') phones = Array.from({ length: count }, fresh);
    sent += count;
    const idleFrom = { at: performance.now(), cpu: cpuOf(product) };
    const watch = phase === 'warm-up' ? null : await watchRoundTrips(product);
    const before = product.cpuSeconds();
    const began = performance.now();
    const idle = watch && kind === 'real' ? rateSince(idleFrom, began, cpuOf(product)) : null;
    const calls = provider.calls();
    await atRate(count, RATE, (index) => sendMessage(pool, product.apiKey, phones[index]));
    // The cost of a message includes its two statuses and their webhooks.
    const told = (): boolean => receiver.firstFor().size >= sent && receiver.quietForMs() > QUIET_MS[kind];
    await until(() => provider.calls() >= calls + count && told(), 'not every message was sent and told');
    const idleUs =
      idle === null ? 0 : Math.round(((idle * (performance.now() - began)) / 1000 / count) * 1e6);
    const perMessage = cpuPerMessage(product, before, count);
    const parts = perMessage.length > 1 ? ` (${perMessage.map(([of, n]) => `${of} ${n}`).join(', ')})` : '';
    const total = perMessage.reduce((sum, [, n]) => sum + n, 0);
    const bar =
      kind === 'embedded' && phase !== 'warm-up'
        ? ` ${judged(total <= BAR_MS * 1000, `≤ ${BAR_MS} ms`)}`
        : '';
    console.log(
      `bench cost, ${name}: ${phase}: ${total} µs of CPU per message${parts}${bar} (${count} at ${RATE}/s, ${receiver.count()} webhooks so far)`,
    );
    if (idle !== null) {
      console.log(
        `  of them ${total - idleUs} µs for the message and ${idleUs} µs that it idles meanwhile, at ${(idle * 1000).toFixed(0)} ms per second`,
      );
    }
    await watch?.print(count);
  }
  await pool.destroy();
  await product.stop();
  await Promise.all([provider.close(), receiver.close()]);
}

/** CPU seconds per second. */
const rateSince = (from: { readonly at: number; readonly cpu: number }, at: number, cpu: number): number =>
  (cpu - from.cpu) / ((at - from.at) / 1000);

let made = 0;
const fresh = (): string => `+55119${60_000_000 + (made += 1)}`;

function cpuPerMessage(
  product: Product,
  before: Readonly<Record<string, number>>,
  count: number,
): readonly (readonly [string, number])[] {
  return Object.entries(product.cpuSeconds()).map(([of, seconds]) => [
    of,
    Math.round(((seconds - before[of]!) / count) * 1e6),
  ]);
}
