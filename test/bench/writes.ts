/**
 * What the embedded store writes for a message with all it sets going (two statuses and their webhooks): bytes and
 * calls through a clean stop by the kernel's counts, then commits and pages by B-tree from the write-ahead log.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { sendMessage } from './load.js';
import { productMeasured, type Measured } from './measured.js';
import type { Product } from './product.js';
import { ioOf } from './processes.js';
import { startProviderStandIn } from './provider-stand-in.js';
import { startReceiver } from './receiver.js';
import type { Stack } from './stack.js';
import { judged } from './statistics.js';
import { atRate, until } from './waits.js';
import { watchPages } from './wal-pages.js';

const COUNT = Number(process.env['BENCH_HEAP'] ?? 1000);
const RATE = Number(process.env['BENCH_RATE'] ?? 100);
const WARM_UP = 300;
const QUIET_MS = 2_000;
const LARGEST = 30;
const BAR_KB = 80;
/** A page of 4 KiB with its header in the log. */
const LOGGED_PAGE_BYTES = 4_120;

export async function benchWrites(stack: Stack): Promise<void> {
  if (stack.kind === 'real') {
    console.log('bench writes: counts what the embedded store writes; the real stack has no such file');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'recado-writes-'));
  try {
    const measured = productMeasured(stack, 'one process');
    await withProduct(measured, folder, (_product, send) => send(WARM_UP));
    await countBytes(measured, folder);
    await countPages(measured, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function countBytes(measured: Measured, folder: string): Promise<void> {
  const before = await withProduct(measured, folder, async ({ processes }, send) => {
    const begun = ioOf(`/proc/${processes[0]!.pid}/io`);
    await send(COUNT);
    return begun;
  });
  const after = ioOf(atExit(folder));
  const kB = (after.bytes - before.bytes) / 1000;
  console.log(
    `bench writes: ${perMessage(kB)} kB ${judged(kB <= BAR_KB * COUNT, `≤ ${BAR_KB} kB`)} and ${perMessage(after.calls - before.calls)} ` +
      `calls per message (${COUNT} to new recipients at ${RATE}/s, through a clean stop)`,
  );
}

async function countPages(measured: Measured, folder: string): Promise<void> {
  const path = join(folder, 'recado.db');
  const count = await withProduct(measured, folder, async (_product, send) => {
    const watch = watchPages(path);
    await send(COUNT);
    return watch.stop();
  });
  const { commits, pages, byTree } = count();
  console.log(
    `  ${perMessage(commits)} commits and ${perMessage(pages)} pages per message, which is ` +
      `${perMessage((pages * LOGGED_PAGE_BYTES) / 1000)} kB of write-ahead log; by B-tree:`,
  );
  for (const [tree, n] of byTree.slice(0, LARGEST)) {
    console.log(`    ${perMessage(n).padStart(5)}  ${((100 * n) / pages).toFixed(1).padStart(4)} %  ${tree}`);
  }
  const rest = byTree.slice(LARGEST);
  console.log(
    `    ${perMessage(rest.reduce((sum, [, n]) => sum + n, 0)).padStart(5)}  in ${rest.length} others`,
  );
}

const perMessage = (value: number): string => (value / COUNT).toFixed(value / COUNT < 10 ? 2 : 0);
const atExit = (folder: string): string => join(folder, 'io-at-exit');

/** `send` resolves when all it sent was delivered and told, and the product has nothing left to do. */
async function withProduct<T>(
  { start }: Measured,
  folder: string,
  work: (product: Product, send: (count: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  const provider = await startProviderStandIn({ statuses: ['sent', 'delivered'], gatherMs: 0 });
  const receiver = await startReceiver();
  const env = {
    WHATSAPP_API_URL: provider.url,
    CHANNEL_RATE_PER_SECOND: 'off',
    RECIPIENT_PACING: 'off',
    BENCH_IO_FILE: atExit(folder),
  };
  const product = await start(env, receiver.url, folder);
  try {
    provider.deliverTo(product);
    await until(() => receiver.quietForMs() > QUIET_MS, 'the receiver was not quiet');
    return await work(product, async (count) => {
      await sendSteadily(product, count);
      await until(
        () => receiver.firstFor().size >= count && receiver.quietForMs() > QUIET_MS,
        'not every message was told',
      );
    });
  } finally {
    await product.stop();
    await Promise.all([provider.close(), receiver.close()]);
  }
}

async function sendSteadily({ url, apiKey }: Product, count: number): Promise<void> {
  const pool = new Pool(url, { connections: 16 });
  await atRate(count, RATE, () => sendMessage(pool, apiKey));
  await pool.destroy();
}
