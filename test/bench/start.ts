/**
 * From the start of the process on a warm folder until it says that it is up, until its first 202, and until the first
 * webhook of that message arrives.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { sendMessage } from './load.js';
import { startProduct, tellTo } from './product.js';
import { startProviderStandIn } from './provider-stand-in.js';
import { startReceiver } from './receiver.js';
import type { Stack } from './stack.js';
import { judged, median } from './statistics.js';
import { until } from './waits.js';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const BAR_READY_MS = 1_500;

export async function benchStart(stack: Stack): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'recado-start-'));
  const settings = stack.fresh();
  const ready: number[] = [];
  const accepted: number[] = [];
  const told: number[] = [];
  try {
    for (let round = -1; round < ROUNDS; round += 1) {
      const provider = await startProviderStandIn({ statuses: ['sent'], gatherMs: 0, atOnce: true });
      const receiver = await startReceiver();
      const begun = performance.now();
      const product = await startProduct(
        stack,
        { ...settings, WHATSAPP_API_URL: provider.url },
        undefined,
        folder,
      );
      const up = performance.now() - begun;
      try {
        provider.deliverTo(product);
        await tellTo(product, receiver.url);
        const pool = new Pool(product.url);
        const asked = performance.now();
        const uuid = await sendMessage(pool, product.apiKey);
        const answered = performance.now() - asked;
        await until(() => receiver.firstFor().has(uuid), 'the first webhook did not come');
        // The first round makes the folder and warms the disk's cache.
        if (round >= 0) {
          ready.push(up);
          accepted.push(answered);
          told.push(receiver.firstFor().get(uuid)! - asked);
        }
        await pool.destroy();
      } finally {
        await product.stop();
        await Promise.all([provider.close(), receiver.close()]);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const shown = (times: readonly number[]): string => `${median(times).toFixed(0)} ms`;
  console.log(
    `bench start: ready after ${shown(ready)} ${judged(median(ready) < BAR_READY_MS, `< ${BAR_READY_MS} ms`)}; then the first 202 after ${shown(accepted)}, ` +
      `its first webhook after ${shown(told)} (medians of ${ROUNDS}, warm folder)`,
  );
}
