/**
 * Accepted messages per second, compared with a bare Express handler that makes one durable append, on the same machine
 * in the same run. The two alternate, so that other load on the machine affects both.
 */
import { load, steady, type LoadResult } from './load.js';
import { startProduct } from './product.js';
import { spawnNode, stopChild } from './processes.js';
import { spawnStandIns } from './spawned-stand-ins.js';
import { freePort } from '../support/free-port.js';
import type { Layout, Stack } from './stack.js';
import { judged, median } from './statistics.js';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 4);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 6);
const CONNECTIONS = 64;
const BAR_RATIO = 0.65;
const BAR_P99_MS = 20;

export async function benchAccept(stack: Stack): Promise<void> {
  for (const [name, layout] of Object.entries(stack.layouts)) await accept(stack, name, layout);
}

async function accept(stack: Stack, name: string, layout: Layout): Promise<void> {
  const standIns = await spawnStandIns();
  const port = await freePort();
  const bare = await spawnNode(
    'test/bench/bare-server.js',
    { ...stack.fresh(), PORT: String(port) },
    (line) => (line.includes('up') ? 'up' : null),
  );
  const product = await startProduct(stack, { WHATSAPP_API_URL: standIns.providerUrl }, layout);
  await standIns.attach(product);
  const bareLoad = { url: `http://127.0.0.1:${port}/messages`, headers: {} };
  const ownLoad = {
    url: `${product.url}/api/v1/messages`,
    headers: { authorization: `Bearer ${product.apiKey}` },
  };
  console.log(
    `bench accept, ${name}: ${ROUNDS} rounds of ${SECONDS} s each, ${CONNECTIONS} connections, after a warm-up`,
  );
  for (const target of [bareLoad, ownLoad]) await load({ ...target, seconds: 3, connections: CONNECTIONS });
  const bares: LoadResult[] = [];
  const owns: LoadResult[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const a = await load({ ...bareLoad, seconds: SECONDS, connections: CONNECTIONS });
    const b = await load({ ...ownLoad, seconds: SECONDS, connections: CONNECTIONS });
    bares.push(a);
    owns.push(b);
    ratios.push(b.perSecond / a.perSecond);
    console.log(
      `  round ${round + 1}: bare ${a.perSecond.toFixed(0)}/s, Recado ${b.perSecond.toFixed(0)}/s, ratio ${(b.perSecond / a.perSecond).toFixed(2)}` +
        ` (p99 ${a.p99} / ${b.p99} ms, errors ${a.errors} / ${b.errors})`,
    );
  }
  const half = median(owns.map((r) => r.perSecond)) / 2;
  const calm = await steady({ ...ownLoad, seconds: SECONDS * 2, connections: CONNECTIONS, rate: half });
  const ratio = median(ratios);
  console.log(`  median ratio ${ratio.toFixed(2)} ${judged(ratio >= BAR_RATIO, `≥ ${BAR_RATIO}`)}`);
  console.log(
    `  at half load (${half.toFixed(0)}/s): p50 ${calm.p50} ms, p99 ${calm.p99} ms ${judged(calm.p99 < BAR_P99_MS, `< ${BAR_P99_MS} ms`)}, errors ${calm.errors}`,
  );
  const { calls, webhooks } = await standIns.counts();
  console.log(`  RSS ${product.rssMb()} MiB; meanwhile ${calls} provider calls and ${webhooks} webhooks`);
  await Promise.all([product.stop(), stopChild(bare.child), standIns.stop()]);
}
