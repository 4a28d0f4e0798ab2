/**
 * How long one request can block all others: the longest block of the event loop for the most expensive bodies within
 * the limits, on every route that takes a body. Client and server share one process; transmitting a body takes only
 * moments.
 */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { operationsOf, type ContractOperation } from '../../api/contract.js';
import { BODY_LIMIT_BYTES } from '../../api/middleware/json-body.js';
import { addressOf, apisOf, knownOf } from '../support/contract/addresses.js';
import { largeValuesFor } from '../support/contract/large-values.js';
import { requestBodyOf, textWith, type Place } from '../support/contract/request-bodies.js';
import { freshKey, startProduct } from '../support/e2e/product.js';

const BAR_MS = 50;
const BAR_LARGE_MS = 120;
/** The worst cases are repeated this often and the shortest time counts, because other load only ever adds time. */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
/** Shorter blocks are not measured again. */
const SUSPICIOUS_MS = 25;
const SHOWN = 12;
const ONLY = process.env['BENCH_ONLY'];
/** Runs every n-th case only, for a quick result. */
const EVERY = Number(process.env['BENCH_EVERY'] ?? 1);

interface Case {
  readonly operation: ContractOperation;
  readonly url: string;
  readonly token: string;
  readonly value: string;
  readonly place: Place;
  /** Created again for each round: all bodies at once would take gigabytes. */
  readonly body: () => Buffer;
}

interface Seen extends Case {
  readonly ms: number;
  readonly status: number;
}

export async function benchLoop(): Promise<void> {
  const product = await startProduct({ WHATSAPP_API_URL: '', LOG_LEVEL: 'fatal' });
  try {
    const known = await knownOf(product);
    const cases: Case[] = [];
    for (const { document, base, token } of apisOf(product)) {
      for (const operation of operationsOf(document)) {
        if (ONLY !== undefined && operation.operationId !== ONLY) continue;
        const body = requestBodyOf(document, operation);
        const url = base + addressOf(operation, known);
        const limit = operation.bodyLimitBytes ?? BODY_LIMIT_BYTES;
        for (const place of body?.places ?? []) {
          for (const [value, fill] of largeValuesFor(place)) {
            const textOf = (text: string): string => textWith(body!.valid[0], place.path, text);
            const room = limit - Buffer.byteLength(textOf('0'));
            const make = (): Buffer => {
              // Some characters take more than one byte.
              const full = fill(room);
              const over = Buffer.byteLength(full) / room;
              return Buffer.from(textOf(over > 1 ? fill(Math.floor(room / over)) : full));
            };
            cases.push({ operation, url, token, value, place, body: make });
          }
        }
      }
    }
    console.log(`bench loop: ${cases.length} bodies as large as their routes take them`);
    await measure(cases[0]!);
    const seen: Seen[] = [];
    for (const one of cases.filter((_case, index) => index % EVERY === 0)) seen.push(await shortest(one));
    report(seen);
  } finally {
    await product.close();
  }
}

async function shortest(one: Case): Promise<Seen> {
  let best = await measure(one);
  // Collect this case's garbage now, so that the next case does not pay for it.
  if (best.ms > SUSPICIOUS_MS) globalThis.gc?.();
  for (let round = 1; round < ROUNDS && best.ms > SUSPICIOUS_MS; round += 1) {
    const again = await measure(one);
    if (again.ms < best.ms) best = again;
  }
  return best;
}

async function measure(one: Case): Promise<Seen> {
  const body = one.body();
  await ticks();
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  await ticks();
  histogram.reset();
  const status = await post(one, body);
  await ticks();
  histogram.disable();
  return { ...one, ms: histogram.max / 1e6, status };
}

/** The histogram records a block when its own timer fires next. */
const ticks = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

async function post({ operation, url, token }: Case, body: Buffer): Promise<number> {
  const req = request(url, {
    method: operation.method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
      'idempotency-key': freshKey(),
    },
  });
  req.end(body);
  const [answer] = (await once(req, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode!;
}

function report(seen: readonly Seen[]): void {
  const failed = seen.filter(({ status }) => status >= 500);
  for (const one of failed) console.log(`  FAILED: ${inWords(one)}`);
  const groups = [
    { what: 'the usual limit', bar: BAR_MS, of: (one: Seen) => one.operation.bodyLimitBytes === null },
    {
      what: 'a limit of its own',
      bar: BAR_LARGE_MS,
      of: (one: Seen) => one.operation.bodyLimitBytes !== null,
    },
  ];
  for (const { what, bar, of } of groups) {
    const worst = seen.filter(of).sort((a, b) => b.ms - a.ms);
    if (worst.length === 0) continue;
    const over = worst.filter(({ ms }) => ms >= bar);
    console.log(
      `  routes with ${what}: longest block ${worst[0]!.ms.toFixed(0)} ms (bar < ${bar}), ${over.length} of ${worst.length} over it`,
    );
    for (const one of worst.slice(0, Math.max(SHOWN, over.length))) {
      console.log(`    ${one.ms.toFixed(0)} ms  ${inWords(one)}`);
    }
  }
}

const inWords = ({ operation, value, place, status }: Seen): string =>
  `${operation.operationId}, ${value} in ${place.path.join('.') || 'the body'}: ${status}`;
