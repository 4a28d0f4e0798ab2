/**
 * The gain from a second API process and a second workers process: one process of each role, compared with two API
 * processes, one for projections and two for workers. The layouts alternate on the same servers. If the first layout
 * already uses all cores of a machine, more processes cannot help. So CPU is reported beside the rates, by process and
 * per message.
 */
import { availableParallelism } from 'node:os';
import { load } from './load.js';
import { machineCpuSeconds } from './processes.js';
import { connectChannels, startProduct, type Product } from './product.js';
import { spawnStandIns, type StandIns } from './spawned-stand-ins.js';
import { SHARED, type Layout, type Stack } from './stack.js';
import { median } from './statistics.js';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 2);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 20);
const CHANNELS = Number(process.env['BENCH_CHANNELS'] ?? 8);
const CONNECTIONS = 64;
/** Under load, and until all work is done, because code that has run often has been optimised. */
const WARM_UP_SECONDS = 15;
const IDLE_SECONDS = 5;
const DRAIN_MS = 10 * 60_000;
/** Longer than a notification waits for the read models before it is postponed. */
const QUIET_MS = 7_000;
const LOOK_MS = 200;
const TWO: Layout = ['api', 'api', 'projections', 'workers', 'workers'];

interface Rates {
  readonly accepted: number;
  readonly sent: number;
  /** Accepted, sent and told, with the time until the last webhook. */
  readonly through: number;
  /** CPU seconds of the product per message. */
  readonly cpu: number;
  /** The same, less what an idle product takes in that time. */
  readonly beyondIdle: number;
}

export async function benchScale(stack: Stack): Promise<void> {
  if (stack.kind === 'embedded') {
    console.log('bench scale: the embedded store has one process; run it with: npm run bench -- real scale');
    return;
  }
  console.log(
    `bench scale: ${ROUNDS} rounds of ${SECONDS} s each, ${CHANNELS} channels, ${CONNECTIONS} senders in a closed loop, ${availableParallelism()} cores`,
  );
  const ones: Rates[] = [];
  const twos: Rates[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ones.push(await measure(stack, '1 api, 1 workers', SHARED));
    twos.push(await measure(stack, '2 api, 2 workers', TWO));
  }
  const ratio = (of: (rates: Rates) => number): string =>
    median(ones.map((rates, round) => of(twos[round]!) / of(rates))).toFixed(2);
  console.log(
    `  ratios 2×2 over 1×1: accepted ${ratio((r) => r.accepted)}, sent ${ratio((r) => r.sent)}, through ${ratio((r) => r.through)}, CPU per message ${ratio((r) => r.cpu)} (bar ≤ 1.15), less idle ${ratio((r) => r.beyondIdle)}`,
  );
}

async function measure(stack: Stack, name: string, layout: Layout): Promise<Rates> {
  const standIns = await spawnStandIns();
  const product = await startProduct(
    stack,
    { WHATSAPP_API_URL: standIns.providerUrl, CHANNEL_RATE_PER_SECOND: 'off', RECIPIENT_PACING: 'off' },
    layout,
  );
  try {
    await standIns.attach(product);
    const channels = await connectChannels(product, CHANNELS);
    const cpu = (): Cpu => ({ ...product.cpuSeconds(), ...around(standIns) });
    const warm = await sendTo(product, channels, WARM_UP_SECONDS);
    await untilTold(standIns, warm.done, cpu);
    const idle = perSecond(await over(IDLE_SECONDS, cpu), IDLE_SECONDS);
    const before = await standIns.counts();
    const cpuBefore = cpu();
    const begun = performance.now();
    const { done, errors } = await sendTo(product, channels, SECONDS);
    const seconds = (performance.now() - begun) / 1000;
    const sentMeanwhile = (await standIns.counts()).calls - before.calls;
    const told = await untilTold(standIns, before.calls + done, cpu);
    const toldIn = (told.at - begun) / 1000;
    const used = less(told.cpu, cpuBefore);
    const own = used.filter(([of]) => !OTHERS.has(of));
    const each = own.map(([of, n]): Named => [of, n / Math.max(1, done)]);
    const sum = each.reduce((all, [, n]) => all + n, 0);
    const rates = {
      accepted: done / seconds,
      sent: sentMeanwhile / seconds,
      through: done / toldIn,
      cpu: sum,
      beyondIdle: sum - (idle.reduce((all, [, n]) => all + n, 0) * toldIn) / Math.max(1, done),
    };
    console.log(
      `  ${name}: accepted ${rates.accepted.toFixed(0)}/s, sent ${rates.sent.toFixed(0)}/s meanwhile,` +
        ` all told ${(toldIn - seconds).toFixed(1)} s later (${rates.through.toFixed(0)}/s in all); ${told.webhooks - before.webhooks} webhooks, errors ${errors}`,
    );
    console.log(`    idle: ${inMs(idle)} of CPU per second`);
    console.log(`    CPU seconds: ${used.map(([of, n]) => `${of} ${n.toFixed(1)}`).join(', ')}`);
    const rest = used.reduce((all, [of, n]) => (of === MACHINE ? all + n : all - n), 0);
    console.log(
      `    all else on this machine: ${((rest / Math.max(1, done)) * 1000).toFixed(1)} ms per message`,
    );
    console.log(
      `    ${(sum * 1000).toFixed(1)} ms of the product's CPU per accepted message, until its last webhook is told (${inMs(each)})`,
    );
    return rates;
  } finally {
    await product.stop();
    await standIns.stop();
  }
}

type Named = readonly [of: string, seconds: number];
type Cpu = Readonly<Record<string, number>>;

const less = (after: Cpu, before: Cpu): readonly Named[] =>
  Object.entries(after).map(([of, now]) => [of, now - before[of]!]);

const perSecond = (cpu: readonly Named[], seconds: number): readonly Named[] =>
  cpu.filter(([of]) => !OTHERS.has(of)).map(([of, n]) => [of, n / seconds]);

const inMs = (cpu: readonly Named[]): string =>
  cpu.map(([of, n]) => `${of} ${(n * 1000).toFixed(1)} ms`).join(', ');

async function over(seconds: number, cpu: () => Cpu): Promise<readonly Named[]> {
  const before = cpu();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return less(cpu(), before);
}

const MACHINE = 'whole machine';
const OTHERS: ReadonlySet<string> = new Set(['senders', 'stand-ins', MACHINE]);

/**
 * CPU of the other processes on this machine. Servers are not processes of this bench, and may be elsewhere: where they
 * are here and nothing else runs, they are what the whole machine used besides.
 */
const around = (standIns: StandIns): Readonly<Record<string, number>> => {
  const { user, system } = process.cpuUsage();
  return {
    senders: (user + system) / 1e6,
    'stand-ins': standIns.cpuSeconds(),
    [MACHINE]: machineCpuSeconds(),
  };
};

async function sendTo(
  product: Product,
  channels: readonly string[],
  seconds: number,
): Promise<{ readonly done: number; readonly errors: number }> {
  const results = await Promise.all(
    product.urls.map((url) =>
      load({
        url: `${url}/api/v1/messages`,
        headers: { authorization: `Bearer ${product.apiKey}` },
        seconds,
        connections: CONNECTIONS / product.urls.length,
        channels,
      }),
    ),
  );
  const sum = (of: (result: (typeof results)[number]) => number): number =>
    results.reduce((all, result) => all + of(result), 0);
  return { done: sum((r) => r.done), errors: sum((r) => r.errors) };
}

interface Told {
  readonly webhooks: number;
  /** Time by `performance.now()`, and the CPU used up to then. */
  readonly at: number;
  readonly cpu: Cpu;
}

/** Resolves once `calls` have reached the provider and no more webhooks arrive, with the time of the last webhook. */
async function untilTold(standIns: StandIns, calls: number, cpu: () => Cpu): Promise<Told> {
  const begun = performance.now();
  let last: Told = { webhooks: -1, at: begun, cpu: cpu() };
  for (;;) {
    const now = await standIns.counts();
    const at = performance.now();
    if (now.webhooks !== last.webhooks || now.calls < calls)
      last = { webhooks: now.webhooks, at, cpu: cpu() };
    else if (at - last.at > QUIET_MS) return last;
    if (at - begun > DRAIN_MS) throw new Error('accepted messages were not sent and told in ten minutes');
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
