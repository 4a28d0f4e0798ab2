/** HTTP client of the admin API. Every call ends in time, with an answer or with a Failure. */
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import type { Clock } from '../ports/clock.js';
import { withTimeout } from '../ports/waiting.js';
import type { Credentials } from './credentials.js';
import { EXIT, Failure, fromAnswer } from './failure.js';

export type Resource = Readonly<Record<string, unknown>>;
export type Query = Readonly<Record<string, string | number | undefined>>;

export interface Client {
  /** Of the admin API, without credentials. */
  readonly address: string;
  get(path: string, query?: Query): Promise<Resource>;
  /** Follows the cursor until `limit` resources are there. */
  list(path: string, query: Query, limit: number): Promise<readonly Resource[]>;
  /** One page as it came: resources and the cursor of the next. */
  page(
    path: string,
    query: Query,
  ): Promise<{ readonly data: readonly Resource[]; readonly next: string | null }>;
  /** A page of the history, and how far it has been looked at. */
  follow(
    path: string,
    query: Query,
  ): Promise<{ readonly data: readonly Resource[]; readonly position: string | null }>;
  send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Resource>;
  /**
   * A streamed answer, piece by piece; the time limit is for its beginning. Whoever stops taking pieces ends it.
   * @throws Failure, also when the connection breaks on the way
   */
  stream(path: string, query: Query): AsyncGenerator<Uint8Array>;
}

/** The most that the API gives at once. */
const PAGE = 100;

export function createClient(
  { url, token }: Credentials,
  timeoutMs: number,
  clock: Pick<Clock, 'after'>,
): Client {
  function addressOf(path: string, query: Query): URL {
    const target = new URL(url + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) target.searchParams.set(name, String(value));
    }
    return target;
  }

  async function call(method: string, path: string, query: Query = {}, body?: object): Promise<Resource> {
    const { status, text, requestId } = await exchange(addressOf(path, query), method, body);
    return resourceOf(status, text, requestId);
  }

  function resourceOf(status: number, text: string, requestId: string | null): Resource {
    let parsed: unknown;
    try {
      parsed = text === '' ? {} : JSON.parse(text);
    } catch {
      throw new Failure(
        EXIT.failed,
        `${url} answered ${status} with something that is not JSON: it may not be Recado.`,
        'Check the address: it ends in /admin/v1.',
      );
    }
    if (status < 200 || status > 299) throw fromAnswer(status, parsed, requestId);
    return parsed as Resource;
  }

  async function exchange(target: URL, method: string, body: object | undefined) {
    try {
      return await withTimeout(clock, timeoutMs, async (signal) => {
        const response = await fetch(target, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            accept: 'application/json',
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          // The token must not follow wherever somebody points.
          redirect: 'manual',
          signal,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        return { status: response.status, text, requestId: response.headers.get('x-request-id') };
      });
    } catch (error) {
      throw unreachable(error, target.origin, timeoutMs);
    }
  }

  /** Not by fetch: its streams cost several times as much as what comes through them. */
  async function* stream(path: string, query: Query): AsyncGenerator<Uint8Array> {
    const target = addressOf(path, query);
    const { request } = target.protocol === 'https:' ? https : http;
    const ended = new AbortController();
    let begun = false;
    const callOff = clock.after(timeoutMs, () => ended.abort(new DOMException('too late', 'TimeoutError')));
    try {
      const asked = request(target, {
        headers: { authorization: `Bearer ${token}`, accept: 'application/x-ndjson' },
        signal: ended.signal,
      }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      // From here on the answer says it.
      asked.on('error', () => undefined);
      callOff();
      const status = answer.statusCode!;
      if (status !== 200) {
        const requestId = answer.headers['x-request-id'];
        resourceOf(status, await text(answer), typeof requestId === 'string' ? requestId : null);
        throw new Failure(EXIT.failed, `${url} answered ${status} where a stream was to come.`);
      }
      begun = true;
      for await (const piece of answer) yield piece as Uint8Array;
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw begun
        ? cutOff(error, target.origin)
        : unreachable(ended.signal.reason ?? error, target.origin, timeoutMs);
    } finally {
      callOff();
      ended.abort();
    }
  }

  return {
    address: url,
    stream,
    get: async (path, query) => (await call('GET', path, query))['data'] as Resource,
    async page(path, query) {
      const body = await call('GET', path, query);
      const meta = body['meta'] as { readonly next_cursor: string | null } | undefined;
      return { data: body['data'] as readonly Resource[], next: meta?.next_cursor ?? null };
    },
    async follow(path, query) {
      const body = await call('GET', path, query);
      const { position } = body['meta'] as { readonly position: string | null };
      return { data: body['data'] as readonly Resource[], position };
    },
    async list(path, query, limit) {
      const found: Resource[] = [];
      let after: string | undefined;
      for (;;) {
        const left = Math.min(PAGE, limit - found.length);
        const page = await this.page(path, { ...query, limit: left, after });
        found.push(...page.data);
        if (page.next === null || found.length >= limit) return found.slice(0, limit);
        after = page.next;
      }
    },
    send: async (method, path, body) => ((await call(method, path, {}, body))['data'] ?? {}) as Resource,
  };
}

function cutOff(error: unknown, origin: string): Failure {
  const { code, message } = error as NodeJS.ErrnoException;
  return new Failure(
    EXIT.unreachable,
    `${origin} cut its answer off (${code ?? message}).`,
    'See whether the server and what lies between are well, then repeat the command.',
  );
}

function unreachable(error: unknown, origin: string, timeoutMs: number): Failure {
  const timedOut = error instanceof Error && error.name === 'TimeoutError';
  const { code, cause = { code } } = error as { code?: string; cause?: { code?: string } };
  return new Failure(
    EXIT.unreachable,
    timedOut
      ? `${origin} did not answer within ${timeoutMs / 1000} seconds.`
      : `${origin} can't be reached${cause.code === undefined ? '' : ` (${cause.code})`}.`,
    timedOut
      ? 'Try again, or allow more with --timeout. What was asked for may have been done: look before you repeat it.'
      : 'Start the server with "npm start", or name its address with --admin-url or RECADO_ADMIN_URL.',
  );
}
