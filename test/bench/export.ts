/**
 * `recado events export` against the product in a separate process. Measures events per second over HTTP and by the
 * command, compared with a raw scan of the same history in this process. Also measures the server's memory, and the
 * latency of requests during an export. Lines that the client has not read yet must not accumulate in the server. For
 * that, the last quarter of the memory samples is compared with the first.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecretBox } from '../../adapters/crypto/secret-box.js';
import { openEmbedded, type Embedded } from '../../adapters/embedded/open.js';
import { START } from '../../ports/event-store.js';
import { createCodec } from '../../application/codec.js';
import { createRegistry } from '../../domain/catalog.js';
import { readHistory, readHistoryTexts, type HistoryRange } from '../../application/history/read.js';
import { everyEvent } from '../support/history.js';
import { freePort } from '../support/free-port.js';
import { build, cpuSecondsOf, rssOf, spawnNode, stopChild } from './processes.js';
import type { Stack } from './stack.js';
import { growth, quantile, type Sample } from './statistics.js';

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 300_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const BAR = 100_000;
const MASTER_KEY = Buffer.alloc(32, 5);
const ADMIN_TOKEN = 'bench-admin-token';

export async function benchExport(stack: Stack): Promise<void> {
  if (stack.kind === 'real') {
    console.log('bench export: of the embedded store; the route is the same on EventStoreDB');
    return;
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'recado-bench-export-'));
  try {
    const events = await fill(dataDir);
    const scans = [];
    const texts = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      scans.push(await scan(dataDir, ({ eventStore }, range) => readHistory(eventStore, range)));
      texts.push(await scan(dataDir, ({ historyTexts }, range) => readHistoryTexts(historyTexts, range)));
    }
    const port = await freePort();
    const { child } = await spawnNode(
      'runtime/main.js',
      {
        DATA_DIR: dataDir,
        PORT: String(port),
        DEMO: 'off',
        LOG_LEVEL: 'error',
        RECADO_MASTER_KEY: MASTER_KEY.toString('base64'),
        RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
      },
      (line) => (line.startsWith('Recado is up') ? 'up' : null),
    );
    try {
      const url = `http://127.0.0.1:${port}`;
      const begun = performance.now();
      const samples: Sample[] = [];
      const look = (): void => {
        samples.push({ at: (performance.now() - begun) / 1000, value: rssOf(child.pid!) });
      };
      const exports = [];
      await exported(url, '');
      const timer = setInterval(look, 50);
      const cpuBefore = cpuSecondsOf(child.pid!);
      for (let round = 0; round < ROUNDS; round += 1) exports.push(await exported(url, ''));
      const cpu = (cpuSecondsOf(child.pid!) - cpuBefore) / ROUNDS;
      clearInterval(timer);
      const commands = [];
      const folder = join(dataDir, 'exported');
      for (let round = 0; round < ROUNDS; round += 1) commands.push(await commanded(url, folder));
      const personal = await exported(url, 'include_personal=true');
      const waits = await beside(url);
      const rate = (seconds: number): number => events / seconds;
      const best = (all: readonly number[]): number => Math.min(...all);
      const { first, last } = growth(samples);
      const fastest = rate(best(exports));
      console.log(`bench export: ${events} events, ${ROUNDS} rounds, the fastest of each`);
      console.log(
        `  raw scan of the store in this process: ${Math.round(rate(best(scans)))} records/s, ${Math.round(rate(best(texts)))} texts/s`,
      );
      console.log(
        `  NDJSON over HTTP: ${Math.round(fastest)} events/s (bar ≥ ${BAR}), ${(best(texts) / best(exports)).toFixed(2)} of the scan of texts`,
      );
      console.log(`  recado events export, its start included: ${Math.round(rate(best(commands)))} events/s`);
      // The rate on an idle machine: the server uses one thread for an export.
      console.log(`  events for each second of the server's CPU: ${Math.round(rate(cpu))}`);
      console.log(`  with personal data opened: ${Math.round(rate(personal))} events/s`);
      console.log(
        `  RSS of the server: first quarter ${first.toFixed(0)} MiB, last quarter ${last.toFixed(0)} MiB (medians)`,
      );
      console.log(
        `  requests beside an export: p50 ${quantile(waits, 0.5).toFixed(1)} ms, p99 ${quantile(waits, 0.99).toFixed(1)} ms`,
      );
    } finally {
      await stopChild(child);
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const open = (dataDir: string) => openEmbedded({ dataDir, secretBox: createSecretBox(MASTER_KEY) });

/** Without projections, because only the history is measured. */
async function fill(dataDir: string): Promise<number> {
  const embedded = await open(dataDir);
  const registry = createRegistry();
  const codec = createCodec(registry, embedded.personalKeys);
  try {
    let events = 0;
    for (let round = 0; events < EVENTS; round += 1) {
      events += await everyEvent(
        { store: embedded.eventStore, codec, registry },
        { from: Date.parse('2026-03-01T00:00:00.000Z'), rounds: 20, name: String(round), atOnce: true },
      );
    }
    return events;
  } finally {
    await embedded.close();
  }
}

async function scan(
  dataDir: string,
  pages: (embedded: Embedded, range: HistoryRange) => AsyncIterable<unknown>,
): Promise<number> {
  const embedded = await open(dataDir);
  try {
    const upTo = await embedded.eventStore.head();
    const begun = performance.now();
    for await (const page of pages(embedded, { after: START, upTo })) void page;
    return (performance.now() - begun) / 1000;
  } finally {
    await embedded.close();
  }
}

/** Returns seconds. Not with fetch, because its streams would dominate the measurement. */
async function exported(url: string, query: string): Promise<number> {
  const begun = performance.now();
  const asked = get(`${url}/admin/v1/events/export?${query}`, {
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`the export was answered ${answer.statusCode}`);
  let last: Buffer = Buffer.alloc(0);
  for await (const piece of answer as AsyncIterable<Buffer>) last = piece;
  const seconds = (performance.now() - begun) / 1000;
  if (!last.includes('{"end":')) throw new Error('the export was cut off');
  return seconds;
}

/** Seconds that `recado events export` takes, from its start to its manifest. */
async function commanded(url: string, folder: string): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  const begun = performance.now();
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', join(build, 'cli/main.js'), 'events', 'export', '--json', '--out', folder],
    {
      env: { ...process.env, RECADO_ADMIN_URL: `${url}/admin/v1`, RECADO_ADMIN_TOKEN: ADMIN_TOKEN },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the command ended with ${code}`);
  return (performance.now() - begun) / 1000;
}

/** Latency of small requests during an export, in milliseconds. */
async function beside(url: string): Promise<readonly number[]> {
  const waits: number[] = [];
  let running = true;
  const done = exported(url, '').finally(() => (running = false));
  while (running) {
    const begun = performance.now();
    await (await fetch(`${url}/healthz`)).arrayBuffer();
    waits.push(performance.now() - begun);
  }
  await done;
  return waits;
}
