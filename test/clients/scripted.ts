/** A `fetch` that answers as scripted and records what it was asked, and time that passes at once. */
import { Recado, type Timers, type TransportOptions } from '../../clients/typescript/src/index.js';

export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: unknown;
}

export type Step = (asked: Asked, signal: AbortSignal) => Response | Promise<Response>;

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Step => {
  const all = { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers };
  return () => new Response(status === 204 ? null : JSON.stringify(body), { status, headers: all });
};
export const refused = (status: number, code: string, headers: Record<string, string> = {}): Step =>
  json(status, { error: { code, message: 'No.', details: {}, request_id: 'req-1' } }, headers);
export const broken: Step = () => {
  throw new TypeError('fetch failed');
};
/** Answers only when the call is ended. */
export const silent: Step = (_, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')));
  });

export interface Scripted {
  readonly recado: Recado;
  readonly asked: readonly Asked[];
  /** The waits between attempts, in milliseconds. */
  readonly waits: readonly number[];
}

/** The last step answers all further calls. */
export function scripted(
  steps: readonly [Step, ...Step[]],
  options: Partial<TransportOptions> = {},
): Scripted {
  const asked: Asked[] = [];
  const waits: number[] = [];
  let now = Date.parse('2026-03-01T12:00:00Z');
  const timers: Timers = {
    now: () => now,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
  };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { method, url, headers, body, signal } = new Request(input, init);
    const text = body === null ? '' : await new Response(body).text();
    const one = {
      method,
      url: new URL(url),
      headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
    asked.push(one);
    const step = steps[Math.min(asked.length, steps.length) - 1] ?? steps[0];
    return step(one, signal);
  };
  const recado = new Recado({
    apiKey: 'key',
    baseUrl: 'https://recado.example/api/v1/',
    fetch,
    timers,
    ...options,
  });
  return { recado, asked, waits };
}

/** What the work throws. @throws Error if it throws nothing */
export async function thrown(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
