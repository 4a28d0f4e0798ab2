/** Load from this process: every request has its own Idempotency-Key and recipient. */
import autocannon from 'autocannon';
import { Pool } from 'undici';
import { quantile } from './statistics.js';

export interface LoadResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
  /** Requests that were answered with success. */
  readonly done: number;
}

let counter = 0;
const run = Date.now().toString(36);

export interface LoadOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly connections: number;
  /** Channels to send from in rotation; omitted for a company with one channel. */
  readonly channels?: readonly string[];
}

export const nextPhone = (): string => `+55119${80_000_000 + (counter % 19_000_000)}`;
export const nextKey = (): string => `bench-${run}-${(counter += 1)}`;

export const messageBody = (channels: readonly string[] = [], phone = nextPhone()): string =>
  JSON.stringify({
    recipient: { phone },
    ...(channels.length === 0 ? {} : { channel_uuid: channels[counter % channels.length] }),
    type: 'text',
    content: { text: 'Seu pedido 4711 saiu para entrega e chega hoje até as 18h.' },
  });

const post = (pool: Pool, path: string, headers: LoadOptions['headers'], body: string) =>
  pool.request({
    path,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': nextKey() },
    body,
  });

/** Makes one send, which must be accepted. Returns its operation. */
export async function sendMessage(pool: Pool, apiKey: string, phone = nextPhone()): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const answer = await post(pool, '/api/v1/messages', headers, messageBody([], phone));
  const body = (await answer.body.json()) as { data: { uuid: string } };
  if (answer.statusCode !== 202) throw new Error(`POST /messages answered ${answer.statusCode}`);
  return body.data.uuid;
}

/** Closed loop: each connection sends the next request as soon as the previous one is answered. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const result = await autocannon({
    url: options.url,
    method: 'POST',
    connections: options.connections,
    duration: options.seconds,
    requests: [
      {
        method: 'POST',
        setupRequest: (request) => ({
          ...request,
          headers: { ...options.headers, 'content-type': 'application/json', 'idempotency-key': nextKey() },
          body: messageBody(options.channels),
        }),
      },
    ],
  });
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    errors: result.errors + result.non2xx,
    done: result['2xx'],
  };
}

/** Open loop: requests start on schedule, however slow the answers are. */
export async function steady(options: LoadOptions & { readonly rate: number }): Promise<LoadResult> {
  const { origin, pathname } = new URL(options.url);
  const pool = new Pool(origin, { connections: options.connections });
  const times: number[] = [];
  let errors = 0;
  const one = async (): Promise<void> => {
    const begun = performance.now();
    const answer = await post(pool, pathname, options.headers, messageBody(options.channels));
    await answer.body.dump();
    if (answer.statusCode !== 202) errors += 1;
    times.push(performance.now() - begun);
  };
  const start = performance.now();
  const underWay: Promise<void>[] = [];
  while (performance.now() - start < options.seconds * 1000) {
    const due = ((performance.now() - start) / 1000) * options.rate;
    while (underWay.length < due) underWay.push(one());
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(underWay);
  await pool.destroy();
  const elapsed = (performance.now() - start) / 1000;
  return {
    perSecond: times.length / elapsed,
    p50: Math.round(quantile(times, 0.5)),
    p99: Math.round(quantile(times, 0.99)),
    errors,
    done: times.length - errors,
  };
}
