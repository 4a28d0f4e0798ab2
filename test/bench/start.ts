/**
 * `npm start` on a warm folder until the server is ready, with npm's own time. Then the process alone, until its first
 * 202, and until the first webhook of that message arrives; and after a kill while many are accepted, when it has to
 * catch up what read models lacked.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request, Pool } from 'undici';
import { load, sendMessage } from './load.js';
import { freePort } from '../support/free-port.js';
import { startProduct, tellTo, type Product } from './product.js';
import { startProviderStandIn } from './provider-stand-in.js';
import { startReceiver } from './receiver.js';
import type { Env, Stack } from './stack.js';
import { judged, median } from './statistics.js';
import { pause, until } from './waits.js';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const BAR_READY_MS = 1_500;

const HOME = fileURLToPath(new URL('../../../', import.meta.url));
const LOOK_EVERY_MS = 5;
/** More than the time between two flushes of documents. */
const CROWD_SECONDS = 4;
const CONNECTIONS = 64;

/** False when no process of the group is left. */
function signal(group: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, name);
  } catch {
    return false;
  }
}

/** Milliseconds from `npm start` until it is ready. */
async function npmStart(settings: Env, folder: string): Promise<number> {
  const port = await freePort();
  const begun = performance.now();
  const npm = spawn('npm', ['start'], {
    cwd: HOME,
    env: { ...process.env, ...settings, DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'error' },
    stdio: 'ignore',
    detached: true,
  });
  try {
    for (let ready = false; !ready; await pause(LOOK_EVERY_MS)) {
      if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}`);
      ready = await request(`http://127.0.0.1:${port}/readyz`).then(
        async ({ statusCode, body }) => {
          await body.dump();
          return statusCode === 200;
        },
        () => false,
      );
    }
    return performance.now() - begun;
  } finally {
    // The whole group, and until all of it has ended: npm passes no signal on, and does not wait for the server.
    for (let alive = signal(npm.pid!, 'SIGTERM'); alive; alive = signal(npm.pid!, 0))
      await pause(LOOK_EVERY_MS);
  }
}

/** Milliseconds until it is ready again. */
async function readyAfterKill(start: () => Promise<Product>): Promise<number> {
  const killed = await start();
  const target = {
    url: `${killed.url}/api/v1/messages`,
    headers: { authorization: `Bearer ${killed.apiKey}` },
  };
  await load({ ...target, seconds: CROWD_SECONDS, connections: CONNECTIONS });
  process.kill(killed.processes[0]!.pid, 'SIGKILL');
  await killed.stop();
  const begun = performance.now();
  const product = await start();
  const ready = performance.now() - begun;
  await product.stop();
  return ready;
}

export async function benchStart(stack: Stack): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'recado-start-'));
  const settings = stack.fresh();
  const byNpm: number[] = [];
  const ready: number[] = [];
  const accepted: number[] = [];
  const told: number[] = [];
  const afterKill: number[] = [];
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
    for (let round = 0; round < ROUNDS; round += 1) byNpm.push(await npmStart(settings, folder));
    const provider = await startProviderStandIn({ statuses: ['sent'] });
    const start = (): Promise<Product> =>
      startProduct(stack, { ...settings, WHATSAPP_API_URL: provider.url }, undefined, folder);
    for (let round = 0; round < ROUNDS; round += 1) afterKill.push(await readyAfterKill(start));
    await provider.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const shown = (times: readonly number[]): string => `${median(times).toFixed(0)} ms`;
  console.log(
    `bench start: npm start is ready after ${shown(byNpm)} ${judged(median(byNpm) < BAR_READY_MS, `< ${BAR_READY_MS} ms`)}, ` +
      `the server alone after ${shown(ready)}; then the first 202 after ${shown(accepted)}, ` +
      `its first webhook after ${shown(told)} (medians of ${ROUNDS}, warm folder); ` +
      `after a kill while ${CONNECTIONS} connections send, it is ready after ${shown(afterKill)}`,
  );
}
