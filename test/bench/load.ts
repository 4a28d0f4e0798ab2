/** Load from this process: every request its own Idempotency-Key and recipient. */
import autocannon from 'autocannon';

export interface LoadResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
}

let counter = 0;
const run = Date.now().toString(36);

export interface LoadOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly connections: number;
  /** Requests per second, spread evenly; closed loop when left out. */
  readonly rate?: number;
}

export const nextPhone = (): string => `+55119${80_000_000 + (counter % 19_000_000)}`;
export const nextKey = (): string => `bench-${run}-${(counter += 1)}`;

export const messageBody = (): string =>
  JSON.stringify({
    recipient: { phone: nextPhone() },
    type: 'text',
    content: { text: 'Seu pedido 4711 saiu para entrega e chega hoje até as 18h.' },
  });

export async function load(options: LoadOptions): Promise<LoadResult> {
  const result = await autocannon({
    url: options.url,
    method: 'POST',
    connections: options.connections,
    duration: options.seconds,
    ...(options.rate === undefined ? {} : { overallRate: Math.round(options.rate) }),
    requests: [
      {
        method: 'POST',
        setupRequest: (request) => ({
          ...request,
          headers: { ...options.headers, 'content-type': 'application/json', 'idempotency-key': nextKey() },
          body: messageBody(),
        }),
      },
    ],
  });
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    errors: result.errors + result.non2xx,
  };
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? NaN;
}
