/**
 * Accepted messages per second, compared with a bare Express handler that makes one durable append, on the same machine
 * in the same run. They alternate, so that other load on the machine affects each of them. On the embedded store a
 * second product without workers takes turns too: what it accepts is the most that one with all roles would if nothing
 * but acceptance took time of its thread.
 *
 * At half load each is measured alone. The bare handler at half of what it accepts itself shows how much of p99 comes
 * from the machine and the client (docs/adr/0077-half-load-is-not-half-of-the-work.md). Half load has no bar
 * (docs/adr/0079-the-p99-of-accept-at-half-load.md); the load that a process can send at most has one.
 */
import { load, steady, type LoadOptions, type LoadResult } from './load.js';
import { cpuOf, startProduct } from './product.js';
import { cpuSecondsOf, mainThreadSecondsOf, spawnNode, stopChild } from './processes.js';
import { spawnStandIns } from './spawned-stand-ins.js';
import { freePort } from '../support/free-port.js';
import type { Layout, Stack } from './stack.js';
import { judged, median } from './statistics.js';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 4);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 6);
const CONNECTIONS = 64;
const BAR_RATIO = 0.65;
/** About as many messages as one process sends in the same time. */
const CALM_PER_SECOND = 400;
const BAR_P99_MS = 20;

/** What takes turns. */
interface Subject {
  readonly name: string;
  readonly target: Pick<LoadOptions, 'url' | 'headers'>;
  /** Since its start. */
  readonly cpuSeconds: () => number;
  /** Of the thread that answers. */
  readonly mainSeconds: () => number;
  readonly stop: () => Promise<unknown>;
}

interface Taken extends LoadResult {
  /** Of the process itself, with all that it does meanwhile. */
  readonly cpuUs: number;
}

export async function benchAccept(stack: Stack): Promise<void> {
  for (const [name, layout] of Object.entries(stack.layouts)) await accept(stack, name, layout);
}

async function accept(stack: Stack, name: string, layout: Layout): Promise<void> {
  const standIns = await spawnStandIns();
  console.log(
    `bench accept, ${name}: ${ROUNDS} rounds of ${SECONDS} s each, ${CONNECTIONS} connections, after a warm-up`,
  );
  const bare = await startBare(stack);
  await warmUp(bare);
  const { perSecond } = await take(bare);
  await measureAt(bare, perSecond / 2, 'half of its own load');
  const product = await startProduct(stack, { WHATSAPP_API_URL: standIns.providerUrl }, layout);
  await standIns.attach(product);
  const own = subjectOf('Recado', product);
  const alone = stack.kind === 'embedded' ? await startAlone(stack, standIns.providerUrl) : null;
  for (const subject of [bare, own, ...(alone ? [alone] : [])]) await warmUp(subject);
  const owns: LoadResult[] = [];
  const ratios: number[] = [];
  const alones: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const a = await take(bare);
    const b = await take(own);
    owns.push(b);
    ratios.push(b.perSecond / a.perSecond);
    console.log(`  round ${round + 1}: bare ${a.perSecond.toFixed(0)}/s, ${beside(own, b, a)}`);
    const c = alone && (await take(alone));
    if (c) {
      alones.push(c.perSecond / a.perSecond);
      console.log(`    ${beside(alone, c, a)}`);
    }
    const cpu = [`bare ${a.cpuUs}`, `Recado ${b.cpuUs}`, ...(c ? [`${alone.name} ${c.cpuUs}`] : [])];
    console.log(
      `    CPU per accepted message, with all that the process does meanwhile: ${cpu.join(', ')} µs`,
    );
  }
  // The others still write what they were given last: they would take a core from the product.
  await Promise.all([bare.stop(), alone?.stop()]);
  const ratio = median(ratios);
  console.log(`  median ratio ${ratio.toFixed(2)} ${judged(ratio >= BAR_RATIO, `≥ ${BAR_RATIO}`)}`);
  if (alone) {
    console.log(
      `  median ratio ${median(alones).toFixed(2)} ${alone.name}: the most that the one above could become by moving its workers to other threads`,
    );
  }
  await measureAt(own, median(owns.map((r) => r.perSecond)) / 2, 'half of its own load');
  await measureAt(own, CALM_PER_SECOND, 'what a process can send', BAR_P99_MS);
  const { calls, webhooks } = await standIns.counts();
  console.log(`  RSS ${product.rssMb()} MiB; meanwhile ${calls} provider calls and ${webhooks} webhooks`);
  await Promise.all([own.stop(), standIns.stop()]);
}

const beside = ({ name }: Subject, own: LoadResult, bare: LoadResult): string =>
  `${name} ${own.perSecond.toFixed(0)}/s, ratio ${(own.perSecond / bare.perSecond).toFixed(2)}` +
  ` (p99 ${bare.p99} / ${own.p99} ms, errors ${bare.errors} / ${own.errors})`;

const warmUp = ({ target }: Subject): Promise<LoadResult> =>
  load({ ...target, seconds: 3, connections: CONNECTIONS });

async function measureAt(
  { name, target, mainSeconds }: Subject,
  rate: number,
  what: string,
  barMs?: number,
): Promise<void> {
  const before = mainSeconds();
  const calm = await steady({ ...target, seconds: SECONDS * 2, connections: CONNECTIONS, rate });
  const busy = (100 * (mainSeconds() - before)) / (SECONDS * 2);
  const bar = barMs === undefined ? '' : ` ${judged(calm.p99 < barMs, `< ${barMs} ms`)}`;
  console.log(
    `  ${name} at ${what} (${rate.toFixed(0)}/s): p50 ${calm.p50} ms, p99 ${calm.p99} ms${bar}, ` +
      `its thread ${busy.toFixed(0)} % busy, errors ${calm.errors}`,
  );
}

async function take({ target, cpuSeconds }: Subject): Promise<Taken> {
  const before = cpuSeconds();
  const result = await load({ ...target, seconds: SECONDS, connections: CONNECTIONS });
  return { ...result, cpuUs: Math.round(((cpuSeconds() - before) / result.done) * 1e6) };
}

async function startBare(stack: Stack): Promise<Subject> {
  const port = await freePort();
  const { child } = await spawnNode(
    'test/bench/bare-server.js',
    { ...stack.fresh(), PORT: String(port) },
    (line) => (line.includes('up') ? 'up' : null),
  );
  return {
    name: 'bare',
    target: { url: `http://127.0.0.1:${port}/messages`, headers: {} },
    cpuSeconds: () => cpuSecondsOf(child.pid!),
    mainSeconds: () => mainThreadSecondsOf(child.pid!),
    stop: () => stopChild(child),
  };
}

/** Nothing calls the provider. */
async function startAlone(stack: Stack, providerUrl: string): Promise<Subject> {
  const script = 'test/bench/without-workers.js';
  const env = { WHATSAPP_API_URL: providerUrl };
  return subjectOf('without workers', await startProduct(stack, env, undefined, undefined, script));
}

const subjectOf = (name: string, product: Awaited<ReturnType<typeof startProduct>>): Subject => ({
  name,
  target: {
    url: `${product.url}/api/v1/messages`,
    headers: { authorization: `Bearer ${product.apiKey}` },
  },
  cpuSeconds: () => cpuOf(product),
  mainSeconds: () =>
    mainThreadSecondsOf(product.processes.find(({ name }) => /^(api|all roles)/.test(name))!.pid),
  stop: () => product.stop(),
});
