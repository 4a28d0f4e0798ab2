/**
 * What a second API and a second workers process bring: one of each role against two APIs, one projections and two
 * workers, in turn, on the same servers. On a machine whose cores the first layout fills already, more processes can't
 * bring more; so CPU is reported beside the rates, by process and per message.
 */
import { availableParallelism } from 'node:os';
import { load } from './load.js';
import { connectChannels, startProduct, type Product } from './product.js';
import { spawnStandIns, type StandIns } from './spawned-stand-ins.js';
import { SHARED, type Layout, type Stack } from './stack.js';
import { median } from './statistics.js';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 2);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 20);
const CHANNELS = Number(process.env['BENCH_CHANNELS'] ?? 8);
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 5;
const DRAIN_MS = 10 * 60_000;
const TWO: Layout = ['api', 'api', 'projections', 'workers', 'workers'];

interface Rates {
  readonly accepted: number;
  readonly sent: number;
}

export async function benchScale(stack: Stack): Promise<void> {
  if (stack.kind === 'embedded') {
    console.log('bench scale: the embedded store has one process; run it with: npm run bench -- real scale');
    return;
  }
  console.log(
    `bench scale: ${ROUNDS} rounds of ${SECONDS} s each, ${CHANNELS} channels, ${CONNECTIONS} senders in a closed loop, ${availableParallelism()} cores`,
  );
  const ones: Rates[] = [];
  const twos: Rates[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ones.push(await measure(stack, '1 api, 1 workers', SHARED));
    twos.push(await measure(stack, '2 api, 2 workers', TWO));
  }
  const ratio = (of: (rates: Rates) => number): string =>
    median(ones.map((rates, round) => of(twos[round]!) / of(rates))).toFixed(2);
  console.log(`  ratios 2×2 over 1×1: accepted ${ratio((r) => r.accepted)}, sent ${ratio((r) => r.sent)}`);
}

async function measure(stack: Stack, name: string, layout: Layout): Promise<Rates> {
  const standIns = await spawnStandIns();
  const product = await startProduct(
    stack,
    { WHATSAPP_API_URL: standIns.providerUrl, CHANNEL_RATE_PER_SECOND: 'off', RECIPIENT_PACING: 'off' },
    layout,
  );
  try {
    await standIns.attach(product);
    const channels = await connectChannels(product, CHANNELS);
    const warm = await sendTo(product, channels, WARM_UP_SECONDS);
    const cpuBefore = { ...product.cpuSeconds(), ...around(standIns) };
    const callsBefore = (await standIns.counts()).calls;
    const begun = performance.now();
    const { done, errors } = await sendTo(product, channels, SECONDS);
    const seconds = (performance.now() - begun) / 1000;
    const sentMeanwhile = (await standIns.counts()).calls - callsBefore;
    const drainMs = await drained(standIns, warm.done + done);
    const rates = { accepted: done / seconds, sent: sentMeanwhile / seconds };
    console.log(
      `  ${name}: accepted ${rates.accepted.toFixed(0)}/s, sent ${rates.sent.toFixed(0)}/s meanwhile,` +
        ` the rest within ${(drainMs / 1000).toFixed(1)} s; errors ${errors}`,
    );
    const cpu = Object.entries({ ...product.cpuSeconds(), ...around(standIns) }).map(
      ([of, now]) => [of, now - (cpuBefore as Record<string, number>)[of]!] as const,
    );
    console.log(`    CPU seconds: ${cpu.map(([of, n]) => `${of} ${n.toFixed(1)}`).join(', ')}`);
    const own = cpu.filter(([of]) => !OTHERS.has(of)).reduce((sum, [, n]) => sum + n, 0);
    console.log(
      `    ${((own / Math.max(1, done)) * 1e6).toFixed(0)} µs of the product's CPU per accepted message`,
    );
    return rates;
  } finally {
    await product.stop();
    await standIns.stop();
  }
}

const OTHERS: ReadonlySet<string> = new Set(['senders', 'stand-ins']);

/** What takes its share of the machine beside the product. Servers are not among it: they may be elsewhere. */
const around = (standIns: StandIns): Readonly<Record<string, number>> => {
  const { user, system } = process.cpuUsage();
  return { senders: (user + system) / 1e6, 'stand-ins': standIns.cpuSeconds() };
};

async function sendTo(
  product: Product,
  channels: readonly string[],
  seconds: number,
): Promise<{ readonly done: number; readonly errors: number }> {
  const results = await Promise.all(
    product.urls.map((url) =>
      load({
        url: `${url}/api/v1/messages`,
        headers: { authorization: `Bearer ${product.apiKey}` },
        seconds,
        connections: CONNECTIONS / product.urls.length,
        channels,
      }),
    ),
  );
  const sum = (of: (result: (typeof results)[number]) => number): number =>
    results.reduce((all, result) => all + of(result), 0);
  return { done: sum((r) => r.done), errors: sum((r) => r.errors) };
}

/** How long it takes, in milliseconds, until `calls` have reached the provider. */
async function drained(standIns: StandIns, calls: number): Promise<number> {
  const begun = performance.now();
  while ((await standIns.counts()).calls < calls) {
    if (performance.now() - begun > DRAIN_MS)
      throw new Error('accepted messages were not sent in ten minutes');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return performance.now() - begun;
}
