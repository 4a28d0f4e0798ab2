/**
 * What a message costs at least on the embedded store: `cost`, `latency`, `writes`, `pipeline` and `accept` at half load
 * of a bare process that makes the same HTTP exchanges with the same libraries, and the same events durable in the same steps
 * (bare-embedded.ts). What a bar asks for below its figures, no product reaches on this machine.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.js';
import { cost } from './cost.js';
import {
  countsOf,
  EMBEDDED_EXCHANGES,
  EMBEDDED_STEPS,
  eventsOf,
  type EmbeddedSteps,
} from './floor-counts.js';
import { latency } from './latency.js';
import { load, steady } from './load.js';
import type { Measured } from './measured.js';
import { pipeline } from './pipeline.js';
import { cpuSecondsOf, rssOf, spawnNode, stopChild } from './processes.js';
import type { Product } from './product.js';
import { startProviderStandIn } from './provider-stand-in.js';
import { startReceiver } from './receiver.js';
import type { Env } from './stack.js';
import { judged } from './statistics.js';
import { countBytes } from './writes.js';

const STEPS = process.env['FLOOR_STEPS'] ?? 'product';
const VALIDATOR = process.env['FLOOR_VALIDATOR'] ?? 'on';
const RATES = [50, 100];
/** The default pace of a channel. */
const PACE = 60;
/** What the product accepted at half load, to compare. Left out: half of what the bare process accepts. */
const ACCEPTED = process.env['FLOOR_ACCEPTED'];
/** Microseconds: for an accepted message, and for one that is sent. */
const BURN = process.env['FLOOR_BURN'] ?? '0,0';
const SECONDS = 12;
const CONNECTIONS = 64;
const BAR_P99_MS = 20;

export async function benchEmbeddedFloor(): Promise<void> {
  const steps = EMBEDDED_STEPS[STEPS];
  if (steps === undefined) throw new Error(`FLOOR_STEPS is one of ${Object.keys(EMBEDDED_STEPS).join(', ')}`);
  console.log(`bench floor: ${described(steps)}, validator ${VALIDATOR}`);
  const bare: Measured = { name: 'bare process', kind: 'embedded', start: startBare };
  if (process.env['FLOOR_BURN'] !== undefined) return acceptAtPace();
  await cost(bare, ['to new recipients']);
  await latency(bare, RATES);
  const folder = mkdtempSync(join(tmpdir(), 'recado-floor-'));
  try {
    await countBytes(bare, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  await pipeline(bare);
  await acceptAtPace();
}

/** As `accept` does it at half load: messages come at a rate, and go out at the default pace of a channel. */
async function acceptAtPace(): Promise<void> {
  const provider = await startProviderStandIn({ statuses: ['sent', 'delivered'], gatherMs: 0 });
  const receiver = await startReceiver();
  const env = { WHATSAPP_API_URL: provider.url, FLOOR_PACE: String(PACE), FLOOR_BURN: BURN };
  const bare = await startBare(env, receiver.url);
  try {
    provider.deliverTo(bare);
    const target = { url: `${bare.url}/api/v1/messages`, headers: {}, connections: CONNECTIONS };
    const { perSecond } = await load({ ...target, seconds: 5 });
    const rate = ACCEPTED === undefined ? perSecond / 2 : Number(ACCEPTED);
    const calm = await steady({ ...target, seconds: SECONDS, rate });
    console.log(
      `bench floor: burns ${BURN} µs, accepts ${perSecond.toFixed(0)}/s and sends ${PACE}/s; at ${rate.toFixed(0)}/s p50 ${calm.p50} ms, p99 ${calm.p99} ms ` +
        `${judged(calm.p99 < BAR_P99_MS, `< ${BAR_P99_MS} ms`)}, errors ${calm.errors}`,
    );
  } finally {
    await bare.stop();
    await Promise.all([provider.close(), receiver.close()]);
  }
}

function described(steps: EmbeddedSteps): string {
  const counts = countsOf(steps);
  const exchanges = Object.entries(EMBEDDED_EXCHANGES).map(([what, n]) => `${what} ${n}`);
  return (
    `per message with two statuses HTTP exchanges ${exchanges.join(', ')}, and ${eventsOf(steps).length} events in ${counts.steps} steps, ` +
    `each of which waits for the disk, ${counts.untilTold} of them between the 202 and the first webhook`
  );
}

async function startBare(env: Env, receiverUrl: string, folder?: string): Promise<Product> {
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'recado-bare-'));
  const port = await freePort();
  const secret = randomBytes(16).toString('hex');
  const { child } = await spawnNode(
    'test/bench/bare-embedded.js',
    {
      ...env,
      PORT: String(port),
      DATA_DIR: dataDir,
      FLOOR_RECEIVER: receiverUrl,
      FLOOR_APP_SECRET: secret,
      FLOOR_STEPS: STEPS,
      FLOOR_VALIDATOR: VALIDATOR,
    },
    (line) => (line.endsWith('is up') ? 'up' : null),
    ['test/bench/io-at-exit.js'],
  );
  const url = `http://127.0.0.1:${port}`;
  const pid = child.pid!;
  return {
    url,
    urls: [url],
    apiKey: 'bare',
    credentials: { whatsapp_app_secret: secret },
    processes: [{ name: 'bare process', pid }],
    rssMb: () => Math.round(rssOf(pid)),
    cpuSeconds: () => ({ 'bare process': cpuSecondsOf(pid) }),
    roundTrips: () => Promise.resolve({}),
    async stop() {
      await stopChild(child);
      if (folder === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
