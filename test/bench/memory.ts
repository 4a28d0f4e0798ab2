/**
 * Does the memory of each process grow at a steady load below its capacity? The resident set also grows when garbage is
 * collected late. So the memory after a full collection is measured as well, ten times during the run.
 */
import { steady } from './load.js';
import { liveHeapOf, rssOf } from './processes.js';
import { startProduct, type Product } from './product.js';
import { spawnStandIns } from './spawned-stand-ins.js';
import { ONE, SHARED, type Stack } from './stack.js';
import { FLAT_BELOW, growth, type Sample } from './statistics.js';

const MINUTES = Number(process.env['BENCH_MINUTES'] ?? 10);
const RATE = Number(process.env['BENCH_RATE'] ?? 20);
/** One fifth of the measured time in addition, in which caches fill and the engine settles. */
const WARM_UP_SECONDS = MINUTES * 12;
const SAMPLES = 120;
const COLLECTIONS = 10;

export async function benchMemory(stack: Stack): Promise<void> {
  const standIns = await spawnStandIns();
  const product = await startProduct(
    stack,
    { WHATSAPP_API_URL: standIns.providerUrl, CHANNEL_RATE_PER_SECOND: 'off', RECIPIENT_PACING: 'off' },
    stack.kind === 'real' ? SHARED : ONE,
  );
  try {
    await standIns.attach(product);
    const loadFor = (seconds: number) =>
      steady({
        url: `${product.url}/api/v1/messages`,
        headers: { authorization: `Bearer ${product.apiKey}` },
        seconds,
        connections: 16,
        rate: RATE,
      });
    console.log(
      `bench memory: ${MINUTES} minutes at ${RATE} messages/s after a warm-up of ${WARM_UP_SECONDS.toFixed(0)} s`,
    );
    await loadFor(WARM_UP_SECONDS);
    const sampler = startSampler(product, (MINUTES * 60_000) / SAMPLES);
    const collector = startCollector(product, (MINUTES * 60_000) / COLLECTIONS);
    const { done, errors } = await loadFor(MINUTES * 60);
    const samples = sampler.stop();
    const live = await collector.stop();
    const { calls } = await standIns.counts();
    console.log(`  ${done} messages accepted, ${errors} errors, ${calls} provider calls with the warm-up's`);
    for (const { name } of product.processes) {
      console.log(`  ${name}: resident ${told(samples.get(name)!)}`);
      console.log(`  ${name}: in use after a collection ${told(live.get(name)!)}`);
    }
    console.log(`  flat: the last quarter's median lies less than ${FLAT_BELOW * 100} % above the first's`);
  } finally {
    await product.stop();
    await standIns.stop();
  }
}

function told(samples: readonly Sample[]): string {
  const { first, last, perHour, flat } = growth(samples);
  const peak = Math.max(...samples.map(({ value }) => value));
  return (
    `first quarter ${first.toFixed(1)} MiB, last quarter ${last.toFixed(1)} MiB (medians), peak ${peak.toFixed(1)} MiB,` +
    ` slope ${perHour.toFixed(1)} MiB/h: ${flat ? 'flat' : 'NOT FLAT'}`
  );
}

/** Collects one process after the other, so that they do not all pause at once. */
function startCollector(
  product: Product,
  everyMs: number,
): { stop(): Promise<ReadonlyMap<string, readonly Sample[]>> } {
  const begun = performance.now();
  const samples = new Map<string, Sample[]>(product.processes.map(({ name }) => [name, []]));
  const collect = async (): Promise<void> => {
    for (const { name, pid } of product.processes) {
      const value = await liveHeapOf(pid);
      samples.get(name)!.push({ at: (performance.now() - begun) / 1000, value });
    }
  };
  let collecting = collect();
  const timer = setInterval(() => void (collecting = collecting.then(collect)), everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await collecting;
      return samples;
    },
  };
}

/** Samples by process. */
export function startSampler(
  product: Product,
  everyMs: number,
): { stop(): ReadonlyMap<string, readonly Sample[]> } {
  const begun = performance.now();
  const samples = new Map<string, Sample[]>(product.processes.map(({ name }) => [name, []]));
  const look = (): void => {
    const at = (performance.now() - begun) / 1000;
    for (const { name, pid } of product.processes) samples.get(name)!.push({ at, value: rssOf(pid) });
  };
  look();
  const timer = setInterval(look, everyMs);
  return {
    stop() {
      clearInterval(timer);
      look();
      return samples;
    },
  };
}
