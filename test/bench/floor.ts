/**
 * What a message costs at least on the real stack: CPU of a process that makes the same requests to the servers with
 * the same drivers, and has no work of its own. Beside `cost` in one run, it says how much of a message's CPU is the
 * product's to save.
 */
import { Pool } from 'undici';
import { freePort } from '../support/free-port.js';
import { serveBodies } from '../support/servers.js';
import { benchEmbeddedFloor } from './embedded-floor.js';
import { messageBody } from './load.js';
import { cpuSecondsOf, roundTripsOf, spawnNode, stopChild } from './processes.js';
import type { Stack } from './stack.js';
import { atRate, pause, until, WARM_UP_SECONDS } from './waits.js';

const COUNT = Number(process.env['BENCH_HEAP'] ?? 300);
const RATE = Number(process.env['BENCH_RATE'] ?? 30);
const IDLE_MS = 5_000;
const STATUSES = 2;

export async function benchFloor(stack: Stack): Promise<void> {
  if (stack.kind === 'embedded') return benchEmbeddedFloor();
  let told = 0;
  const target = await serveBodies((_req, res) => {
    told += 1;
    res.end('ok');
  });
  const port = await freePort();
  const { child } = await spawnNode(
    'test/bench/bare-message.js',
    { ...stack.fresh(), PORT: String(port), FLOOR_TARGET: target.origin },
    (line) => (line.endsWith('is up') ? 'up' : null),
    ['test/bench/round-trips.js'],
  );
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 16 });
  const post = async (path: string): Promise<void> => {
    const answer = await pool.request({ path, method: 'POST', body: messageBody() });
    await answer.body.dump();
  };
  const one = async (): Promise<void> => {
    await post('/messages');
    for (let n = 0; n < STATUSES; n += 1) await post('/statuses');
  };
  const run = async (count: number): Promise<void> => {
    const before = told;
    await atRate(count, RATE, one);
    await until(() => told - before >= count * (1 + STATUSES), 'not every message was told');
  };
  try {
    await run(RATE * WARM_UP_SECONDS);
    const cpu = (): number => cpuSecondsOf(child.pid!);
    const idleFrom = cpu();
    await pause(IDLE_MS);
    const before = cpu();
    const idle = (before - idleFrom) / (IDLE_MS / 1000);
    const asked = await roundTripsOf(child);
    const begun = performance.now();
    await run(COUNT);
    const seconds = (performance.now() - begun) / 1000;
    const total = cpu() - before;
    const after = await roundTripsOf(child);
    const each = (server: string): string => {
      const kinds = Object.entries(after).filter(
        ([kind]) => kind.startsWith(`${server} `) && !kind.endsWith('events appended'),
      );
      return (kinds.reduce((sum, [kind, n]) => sum + n - (asked[kind] ?? 0), 0) / COUNT).toFixed(1);
    };
    const us = (s: number): string => `${Math.round((s / COUNT) * 1e6)} µs`;
    console.log(
      `bench floor: ${us(total - idle * seconds)} of CPU for the requests of one message, and ${us(idle * seconds)} that it idles meanwhile, at ${(idle * 1000).toFixed(0)} ms per second` +
        ` (${COUNT} at ${RATE}/s; eventstore ${each('eventstore')}, mongodb ${each('mongodb')}, kafka ${each('kafka')}, HTTP ${2 * (1 + STATUSES)})`,
    );
  } finally {
    await pool.destroy();
    await stopChild(child);
    await target.close();
  }
}
