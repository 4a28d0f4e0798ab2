/**
 * Executions of flows: the cost of many waiting executions, the time until the first message when many start at once,
 * and the cost of a step that does no work.
 */
import { Pool } from 'undici';
import { nextKey, nextPhone } from './load.js';
import { admin, startProduct, type Product } from './product.js';
import { startProviderStandIn } from './provider-stand-in.js';
import { ONE, type Stack } from './stack.js';
import { quantile } from './statistics.js';

const WAITING = Number(process.env['BENCH_WAITING'] ?? 10_000);
const AT_ONCE = Number(process.env['BENCH_AT_ONCE'] ?? 1_000);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 30);
/** Executions per second, each with a chain of steps. */
const RATE = Number(process.env['BENCH_RATE'] ?? 5);
/** Executions before the measurement, until the code is compiled. */
const WARM_UP = 40;
const CHAIN = 10;
const BAR_STEP_MS = 20;
/** CPU seconds in five seconds. */
const IDLE_CPU = 0.25;
const SETTLES_WITHIN_MS = 180_000;
const PATIENCE_MS = 20 * 60_000;

export async function benchFlows(stack: Stack): Promise<void> {
  await waiting(stack);
  for (const pacing of ['off', 'on'] as const) await atOnce(stack, pacing);
  await steps(stack);
}

/** CPU of the same process over the same time, without waiting executions and with many. */
async function waiting(stack: Stack): Promise<void> {
  await withProduct(stack, 'off', async ({ product, execute }) => {
    const flow = await publish(product, 'Espera', {
      start: 'wait',
      blocks: { wait: { type: 'wait', for: '1w', next: null } },
    });
    await untilIdle(product);
    const without = await cpuOver(product);
    const begun = performance.now();
    await side(WAITING, () => execute(flow));
    await untilEvents(product, 'ExecutionWaitBegan', WAITING);
    const seconds = (performance.now() - begun) / 1000;
    await untilIdle(product);
    const withThem = await cpuOver(product);
    console.log(
      `bench flows: ${WAITING} executions wait (begun in ${seconds.toFixed(0)} s); CPU over ${SECONDS} s:` +
        ` ${without.toFixed(2)} s without them, ${withThem.toFixed(2)} s with them; RSS ${product.rssMb()} MiB`,
    );
  });
}

async function atOnce(stack: Stack, pacing: 'off' | 'on'): Promise<void> {
  await withProduct(stack, pacing, async ({ product, execute, calls }) => {
    const flow = await publish(product, 'Bom dia', {
      start: 'hello',
      blocks: { hello: { type: 'send_text', text: 'Olá!', next: null } },
    });
    const begun = performance.now();
    await side(AT_ONCE, () => execute(flow));
    const accepted = performance.now();
    await until(() => calls() >= AT_ONCE);
    const sent = performance.now();
    console.log(
      `  ${AT_ONCE} started at once, pacing ${pacing}: accepted in ${((accepted - begun) / 1000).toFixed(1)} s,` +
        ` all have sent their first message after ${((sent - begun) / 1000).toFixed(1)} s`,
    );
  });
}

/** Latency from the wake-up of an execution to its first step, and between steps, by the times of the events. */
async function steps(stack: Stack): Promise<void> {
  await withProduct(stack, 'off', async ({ product, execute, calls }) => {
    const ids = Array.from({ length: CHAIN }, (_, n) => `b${n}`);
    const blocks = ids.map((id, n): readonly [string, object] => {
      const next = ids[n + 1] ?? 'said';
      const when = { value: '{{vars.n}}', is: 'set' };
      return n % 2 === 0
        ? [id, { type: 'set_variable', name: 'n', value: `${n}`, next }]
        : [id, { type: 'condition', branches: [{ when, next }], otherwise: next }];
    });
    const flow = await publish(product, 'Passos', {
      start: 'b0',
      blocks: { ...Object.fromEntries(blocks), said: { type: 'send_text', text: 'Pronto.', next: null } },
    });
    const atRate = async (count: number): Promise<readonly string[]> => {
      const begun = performance.now();
      const underWay: Promise<string>[] = [];
      while (underWay.length < count) {
        const due = Math.min(count, ((performance.now() - begun) / 1000) * RATE);
        while (underWay.length < due) underWay.push(execute(flow));
        await pause(5);
      }
      return Promise.all(underWay);
    };
    await atRate(WARM_UP);
    await untilIdle(product);
    const count = RATE * SECONDS;
    const uuids = await atRate(count);
    await until(() => calls() >= WARM_UP + count);
    await untilEvents(product, 'ExecutionEnded', WARM_UP + count);
    const decided = new Map<string, number[]>(uuids.map((uuid) => [uuid, []]));
    for (const type of ['FlowExecutionAccepted', 'ExecutionStepTaken', 'SendAccepted']) {
      for (const { stream, occurred_at, data } of await eventsOf(product, type)) {
        const uuid =
          type === 'SendAccepted' ? String(data['execution_uuid']) : stream.slice(stream.indexOf('-') + 1);
        const own = decided.get(uuid);
        // The last step waits for the provider.
        if (own !== undefined && own.length < CHAIN + 2) own.push(Date.parse(occurred_at));
      }
    }
    const first: number[] = [];
    const between: number[] = [];
    const whole: number[] = [];
    for (const times of decided.values()) {
      const inOrder = times.sort((a, b) => a - b).slice(0, CHAIN + 2);
      first.push(inOrder[1]! - inOrder[0]!);
      for (let at = 2; at < inOrder.length; at += 1) between.push(inOrder[at]! - inOrder[at - 1]!);
      whole.push(inOrder.at(-1)! - inOrder[0]!);
    }
    const said = (values: readonly number[]): string =>
      `p50 ${quantile(values, 0.5).toFixed(0)} ms, p99 ${quantile(values, 0.99).toFixed(0)} ms`;
    console.log(`  ${count} executions of ${CHAIN} steps without a message and one with, ${RATE} a second:`);
    console.log(`    a step: ${said(between)} (bar p99 < ${BAR_STEP_MS})`);
    console.log(`    accepted → first step: ${said(first)}; accepted → send accepted: ${said(whole)}`);
  });
}

interface Bench {
  readonly product: Product;
  /** Starts the flow for a new person; returns the execution's uuid. */
  readonly execute: (flowUuid: string) => Promise<string>;
  /** Number of calls to the provider so far. */
  readonly calls: () => number;
}

async function withProduct(
  stack: Stack,
  pacing: 'off' | 'on',
  run: (bench: Bench) => Promise<void>,
): Promise<void> {
  const provider = await startProviderStandIn({ statuses: false });
  const paced = pacing === 'on' ? {} : { CHANNEL_RATE_PER_SECOND: 'off', RECIPIENT_PACING: 'off' };
  const product = await startProduct(stack, { WHATSAPP_API_URL: provider.url, ...paced }, ONE);
  const pool = new Pool(product.url, { connections: 32 });
  try {
    // The demo's inbox would be a receiver inside the process under test.
    const webhooks = `/integrations/${product.credentials['integration_uuid']}/webhooks`;
    for (const { uuid } of await admin<{ uuid: string }[]>(product, 'GET', webhooks)) {
      await admin(product, 'DELETE', `/webhooks/${uuid}`);
    }
    await run({
      product,
      calls: () => provider.calls(),
      async execute(flowUuid) {
        const key = nextKey();
        const answer = await pool.request({
          path: `/api/v1/flows/${flowUuid}/executions`,
          method: 'POST',
          headers: {
            authorization: `Bearer ${product.apiKey}`,
            'content-type': 'application/json',
            'idempotency-key': key,
          },
          body: JSON.stringify({ recipient: { phone: nextPhone() }, variables: { utm_source: 'bench' } }),
        });
        const body = (await answer.body.json()) as { data: { uuid: string } };
        if (answer.statusCode !== 202) throw new Error(`executing a flow answered ${answer.statusCode}`);
        return body.data.uuid;
      },
    });
  } finally {
    await pool.destroy();
    await product.stop();
    await provider.close();
  }
}

async function publish(product: Product, name: string, definition: object): Promise<string> {
  const path = `/companies/${product.credentials['company_uuid']}/flows`;
  const { uuid } = await admin<{ uuid: string }>(product, 'POST', path, {
    name,
    definition: { schema: 1, ...definition },
  });
  await admin(product, 'POST', `/flows/${uuid}/publish`);
  return uuid;
}

interface RecordedEvent {
  readonly stream: string;
  readonly occurred_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Returns the events of one type after a position, and the position from which the next call continues. */
async function look(
  product: Product,
  type: string,
  after: string | null,
): Promise<{ readonly found: readonly RecordedEvent[]; readonly position: string | null }> {
  const { admin_url, admin_token } = product.credentials;
  const found: RecordedEvent[] = [];
  let position = after;
  for (let more = true; more;) {
    const from = position === null ? '' : `&after=${encodeURIComponent(position)}`;
    const answer = await fetch(`${admin_url}/events?types=${type}&limit=100${from}`, {
      headers: { authorization: `Bearer ${admin_token}` },
    });
    const page = (await answer.json()) as {
      readonly data: readonly RecordedEvent[];
      readonly meta: { readonly next_cursor: string | null; readonly position: string | null };
    };
    if (!answer.ok) throw new Error(`GET /events answered ${answer.status}: ${JSON.stringify(page)}`);
    found.push(...page.data);
    position = page.meta.next_cursor ?? page.meta.position ?? position;
    more = page.meta.next_cursor !== null;
  }
  return { found, position };
}

const eventsOf = async (product: Product, type: string): Promise<readonly RecordedEvent[]> =>
  (await look(product, type, null)).found;

/** Runs `work` with limited concurrency until `count` calls are done. */
async function side(count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (left > 0) {
        left -= 1;
        await work();
      }
    }),
  );
}

async function cpuOver(product: Product, seconds = SECONDS): Promise<number> {
  const total = (): number => Object.values(product.cpuSeconds()).reduce((sum, own) => sum + own, 0);
  const before = total();
  await pause(seconds * 1000);
  return total() - before;
}

/** Waits until follow-up work is done. A product that never becomes idle is measured as it is. */
async function untilIdle(product: Product): Promise<void> {
  const deadline = Date.now() + SETTLES_WITHIN_MS;
  while ((await cpuOver(product, 5)) > IDLE_CPU && Date.now() < deadline);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function untilEvents(product: Product, type: string, count: number): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  let seen = 0;
  for (let after: string | null = null; ;) {
    const { found, position } = await look(product, type, after);
    seen += found.length;
    if (seen >= count) return;
    if (Date.now() > deadline) throw new Error(`there are ${seen} of ${count} ${type}`);
    after = position;
    await pause(1_000);
  }
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('the flows did not get there in time');
    await pause(5);
  }
}
