/**
 * CPU cost of an append to EventStoreDB in this process, and appends per second. Three ways alternate on one server in
 * a separate process: the adapter, whose appends share one call; the client's own call for all appends; a call for each
 * append.
 */
import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, NO_STREAM, jsonEvent } from '@eventstore/db-client';
import { openClient } from '../../adapters/eventstoredb/client.js';
import { DEFAULT_LIMITS } from '../../adapters/eventstoredb/limits.js';
import { openEventStoreDb } from '../../adapters/eventstoredb/open.js';
import type { NewRecord } from '../../ports/event-store.js';
import { silentLogger } from '../../ports/logger.js';
import { record } from '../conformance/support.js';
import { spawnNode, stopChild } from './processes.js';
import type { Stack } from './stack.js';
import { median } from './statistics.js';

const APPENDS = Number(process.env['BENCH_APPENDS'] ?? 20_000);
const IN_FLIGHT = Number(process.env['BENCH_IN_FLIGHT'] ?? 64);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const WARM_UP = 4_000;
/** The client waits for ever, so the adapter must not time out on a busy machine either. */
const PATIENT = { callTimeoutMs: 120_000, requestTimeoutMs: 240_000 };
const BAR_CPU_MS = 0.12;
const BAR_RATIO = 0.8;

/** Appends one record after `revision`, -1 for a new stream. */
type AppendOne = (stream: string, revision: number, record: NewRecord) => Promise<unknown>;

interface Way {
  readonly append: AppendOne;
  readonly perSecond: number[];
  readonly cpuMs: number[];
}

export async function benchAppendStream(stack: Stack): Promise<void> {
  const server = await serverOf(stack);
  const db = openEventStoreDb({ url: server.url, logger: silentLogger, limits: PATIENT });
  const batching = EventStoreDBClient.connectionString(server.url);
  const single = openClient(server.url, DEFAULT_LIMITS);
  const way = (append: AppendOne): Way => ({ append, perSecond: [], cpuMs: [] });
  const ours = way((stream, revision, one) =>
    db.eventStore.append(stream, revision < 0 ? 'no_stream' : revision, [one]),
  );
  const clients = way(byClient(batching));
  const ways = {
    'adapter, one call for all': ours,
    "client's call for all": clients,
    'a call for each': way(byClient(single.calls)),
  };
  try {
    console.log(
      `bench append-stream: ${APPENDS} appends each way and round, ${IN_FLIGHT} in flight, ${ROUNDS} rounds; server: ${server.said}`,
    );
    for (const each of Object.values(ways)) await measure(each, WARM_UP);
    for (const { perSecond, cpuMs } of Object.values(ways)) perSecond.length = cpuMs.length = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const each of Object.values(ways)) await measure(each, APPENDS);
    }
    for (const [name, { perSecond, cpuMs }] of Object.entries(ways)) {
      console.log(
        `  ${name}: ${median(perSecond).toFixed(0)}/s (${perSecond.map((one) => one.toFixed(0)).join(', ')}), ` +
          `${median(cpuMs).toFixed(3)} ms of CPU (${cpuMs.map((one) => one.toFixed(3)).join(', ')})`,
      );
    }
    const ratio = median(ours.perSecond.map((one, round) => one / clients.perSecond[round]!));
    console.log(
      `  the adapter's appends per second over the client's call for all: ${ratio.toFixed(2)} (bar ≥ ${BAR_RATIO}); ` +
        `CPU ${median(ours.cpuMs).toFixed(3)} ms (bar ≤ ${BAR_CPU_MS})`,
    );
  } finally {
    await Promise.all([db.close(), batching.dispose(), single.close()]);
    await server.stop();
  }
}

/** The real server where one is available. */
async function serverOf(
  stack: Stack,
): Promise<{ readonly url: string; readonly said: string; stop(): Promise<void> }> {
  const given = stack.fresh()['EVENTSTORE_URL'] || process.env['EVENTSTORE_URL'];
  if (given) return { url: given, said: 'EVENTSTORE_URL', stop: () => Promise.resolve() };
  const { child, answer } = await spawnNode('test/bench/event-store-stand-in.js', {}, (text) =>
    text.startsWith('esdb://') ? text : null,
  );
  return { url: answer, said: 'the stand-in', stop: () => stopChild(child) };
}

const byClient =
  (client: EventStoreDBClient): AppendOne =>
  (stream, revision, { eventId, type, data, meta }) =>
    client.appendToStream(
      stream,
      [jsonEvent({ id: eventId, type, data: { ...data }, metadata: { ...meta } })],
      {
        expectedRevision: revision < 0 ? NO_STREAM : BigInt(revision),
        requiresLeader: true,
      },
    );

const TEXT = 'x'.repeat(200);

/** Runs concurrent writers, each with a stream of its own. */
async function measure({ append, perSecond, cpuMs }: Way, appends: number): Promise<void> {
  let left = appends;
  const writer = async (): Promise<void> => {
    const stream = `bench-${randomUUID()}`;
    for (let revision = -1; left > 0; revision += 1) {
      left -= 1;
      await append(stream, revision, record({ text: TEXT }));
    }
  };
  globalThis.gc?.();
  const begun = performance.now();
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: IN_FLIGHT }, writer));
  const { user, system } = process.cpuUsage(before);
  perSecond.push((appends * 1000) / (performance.now() - begun));
  cpuMs.push((user + system) / 1000 / appends);
}
