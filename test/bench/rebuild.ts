/**
 * Rebuilds every projection over a long history, compared with a raw scan of the same history in the same run. Three
 * histories: without personal data, with some, and with almost only personal data, which must be decrypted. Documents
 * are read during the rebuild, and the latency of these reads is reported. CPU time is reported beside elapsed time,
 * since the machine is never idle.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../adapters/clock/system.js';
import { createSecretBox } from '../../adapters/crypto/secret-box.js';
import { openEmbedded } from '../../adapters/embedded/open.js';
import { createCodec } from '../../application/codec.js';
import { createRegistry } from '../../domain/catalog.js';
import { exampleIds } from '../support/examples/example.js';
import { START } from '../../ports/event-store.js';
import { build } from '../../projections/build.js';
import { projections } from '../../projections/catalog.js';
import { verify } from '../../projections/rebuild/verify.js';
import { writeHistory, type HistoryPlan } from './long-history.js';
import { rebuildInUse } from './rebuild-in-use.js';
import type { Stack } from './stack.js';
import { quantile } from './statistics.js';

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 1_000_000);
const KINDS = (process.env['BENCH_SEALED'] ?? 'none,some,all').split(',') as HistoryPlan['sealed'][];
const PAGE = 500;
const ASK_EVERY_MS = 10;

const pause = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Events per second of elapsed time, and per second of CPU. */
async function timed(work: () => Promise<number>) {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const events = await work();
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { events, seconds, rate: events / seconds, perCpu: events / ((user + system) / 1e6) };
}

export async function benchRebuild(stack: Stack): Promise<void> {
  if (stack.kind === 'real') {
    console.log('bench rebuild: it is about the embedded store');
    return;
  }
  if (process.env['BENCH_IN_USE'] !== undefined) return rebuildInUse();
  for (const sealed of KINDS) await rebuild(sealed);
}

async function rebuild(sealed: HistoryPlan['sealed']): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'recado-bench-'));
  const secretBox = createSecretBox(randomBytes(32));
  try {
    const first = await openEmbedded({ dataDir, secretBox });
    const registry = createRegistry();
    const { company, channel } = exampleIds;
    const plan = { events: EVENTS, sealed, company, channel };
    const written = await writeHistory(first.eventStore, createCodec(registry, first.personalKeys), plan);
    await first.close();
    const store = await openEmbedded({ dataDir, secretBox });
    const codec = createCodec(registry, store.personalKeys);
    const scan = await timed(async () => {
      let read = 0;
      for (let after = START; ;) {
        const page = await store.eventStore.readAll({ after, limit: PAGE });
        read += page.records.length;
        if (page.atEnd) return read;
        after = page.next;
      }
    });
    const { eventStore, readModels } = store.background;
    const deps = { store: eventStore, readModels, codec, pause, clock: systemClock };
    const generation = (n: number) => projections.map((projection) => ({ projection, generation: n }));
    await build(generation(1), deps);

    const ids = [...written.contacts, ...written.products];
    const collection = written.contacts.length > 0 ? 'contacts' : 'products';
    const waits: number[] = [];
    let holes = 0;
    let peak = 0;
    const timer = setInterval(() => {
      const begun = performance.now();
      // Queued behind all work in progress, like a request that has just arrived.
      setImmediate(() => {
        void store.readModels.get(collection, ids[waits.length % ids.length]!).then((found) => {
          if (!found) holes += 1;
          waits.push(performance.now() - begun);
        });
      });
      peak = Math.max(peak, process.memoryUsage.rss());
    }, ASK_EVERY_MS);
    const built = await timed(async () => (await build(generation(2), deps)).events);
    clearInterval(timer);

    let different = 0;
    const compared = await timed(async () => {
      let documents = 0;
      for (const { name, version } of projections) {
        const [a, b] = [`${name}@${version}#1`, `${name}@${version}#2`];
        const options = { sample: null, goesOn: () => true, pause };
        const found = (await verify(readModels, a, b, options))!;
        documents += found.compared;
        different += found.different;
      }
      return documents;
    });
    console.log(
      `bench rebuild, ${sealed} sealed (${Math.round((100 * written.sealed) / written.events)} % of ${written.events} events):\n` +
        `  raw scan ${scan.rate.toFixed(0)}/s (${scan.perCpu.toFixed(0)} per CPU second)\n` +
        `  every projection ${built.rate.toFixed(0)} events/s (${built.perCpu.toFixed(0)} per CPU second), ${built.seconds.toFixed(1)} s;` +
        ` ratio to the scan ${(built.rate / scan.rate).toFixed(2)} (CPU ${(built.perCpu / scan.perCpu).toFixed(2)})\n` +
        `  RSS at most ${Math.round(peak / 1e6)} MB; ${waits.length} documents asked for: ${holes} holes,` +
        ` p50 ${quantile(waits, 0.5).toFixed(1)} ms, p99 ${quantile(waits, 0.99).toFixed(1)} ms, longest ${Math.max(0, ...waits).toFixed(0)} ms\n` +
        `  compared ${compared.events} documents at ${compared.rate.toFixed(0)}/s: ${different} different`,
    );
    await store.close();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
