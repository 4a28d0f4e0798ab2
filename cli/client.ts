/** HTTP client of the admin API, and of the integrators' API. Every call ends within its time limit, with a response or a Failure. */
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { text as textOf } from 'node:stream/consumers';
import { codeOf, messageOf } from '../ports/thrown.js';
import { maybe, number, part, parts, text, type Resource } from './answer.js';
import type { Clock } from '../ports/clock.js';
import { withTimeout } from '../ports/waiting.js';
import { OPERATORS, type Advice } from './advice.js';
import { EXIT, Failure, fromAnswer } from './failure.js';
import { counted } from './readable.js';

export type { Resource };
type Headers = Readonly<Record<string, string>>;
export type Query = Readonly<Record<string, string | number | undefined>>;

/** How many resources there are in all. */
export interface Total {
  readonly count: number;
  /** The server stopped counting: there are more. */
  readonly capped: boolean;
}

interface Page {
  readonly data: readonly Resource[];
  readonly next: string | null;
  readonly total: Total | null;
}

/** The first rows of a list, or all of them. */
export interface Listed {
  readonly rows: readonly Resource[];
  readonly more: boolean;
  readonly total: Total | null;
}

/** The API that a command calls, and how it proves who calls. */
export interface Door {
  /** Without a final slash. */
  readonly url: string;
  readonly token: string;
  /** Default: that for operators. */
  readonly advice?: Advice;
}

export interface Client {
  /** URL of the API, without credentials. */
  readonly address: string;
  get(path: string, query?: Query): Promise<Resource>;
  /** Follows the cursor until it has `limit` resources. */
  list(path: string, query: Query, limit: number): Promise<Listed>;
  /** One page as received: resources, the cursor of the next page, and the total where the server returns it. */
  page(path: string, query: Query): Promise<Page>;
  /** A page of the history, and the position up to which the server has read. */
  follow(
    path: string,
    query: Query,
  ): Promise<{ readonly data: readonly Resource[]; readonly position: string | null }>;
  send(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    headers?: Headers,
  ): Promise<Resource>;
  /** Sends a file as it is. */
  upload(path: string, query: Query, bytes: Uint8Array, type: string): Promise<Resource>;
  /** For calls that return a list: one result for each item sent. */
  sendAll(path: string, body: object): Promise<readonly Resource[]>;
  /**
   * A streamed response, chunk by chunk; the time limit applies until it starts. A consumer that stops reading ends it.
   * @throws Failure, also when the connection breaks before the end
   */
  stream(path: string, query: Query, options?: StreamOptions): AsyncGenerator<Uint8Array>;
}

interface Body {
  readonly type: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

export interface StreamOptions {
  readonly headers?: Headers;
  /** Ends the stream: it throws a Failure as when the connection breaks. */
  readonly signal?: AbortSignal;
  /** Called when the server has begun to answer. */
  readonly onOpen?: () => void;
}

/** The API's maximum page size. */
const PAGE = 100;

export function createClient(
  { url, token, advice = OPERATORS }: Door,
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

  async function call(
    method: string,
    path: string,
    query: Query = {},
    body?: object,
    headers: Headers = {},
  ): Promise<Resource> {
    const sent = body === undefined ? undefined : { type: 'application/json', content: JSON.stringify(body) };
    const { status, text, requestId } = await exchange(addressOf(path, query), method, sent, headers);
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
        advice.address,
      );
    }
    if (status < 200 || status > 299) throw fromAnswer(status, parsed, requestId, advice);
    return part(parsed);
  }

  async function exchange(target: URL, method: string, body: Body | undefined, headers: Headers) {
    try {
      return await withTimeout(clock, timeoutMs, async (signal) => {
        const response = await fetch(target, {
          method,
          headers: {
            ...headers,
            authorization: `Bearer ${token}`,
            accept: 'application/json',
            ...(body === undefined ? {} : { 'content-type': body.type }),
          },
          // The token must not be sent to wherever a redirect points.
          redirect: 'manual',
          signal,
          ...(body === undefined ? {} : { body: body.content }),
        });
        const text = await response.text();
        return { status: response.status, text, requestId: response.headers.get('x-request-id') };
      });
    } catch (error) {
      throw unreachable(error, target.origin, timeoutMs, advice);
    }
  }

  /** Not with fetch: its streams cost several times as much as handling the data that they carry. */
  async function* stream(
    path: string,
    query: Query,
    { headers = {}, signal, onOpen }: StreamOptions = {},
  ): AsyncGenerator<Uint8Array> {
    const target = addressOf(path, query);
    const { request } = target.protocol === 'https:' ? https : http;
    const ended = new AbortController();
    const end = (): void => ended.abort(signal?.reason);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
    let begun = false;
    const callOff = clock.after(timeoutMs, () => ended.abort(new DOMException('too late', 'TimeoutError')));
    try {
      const asked = request(target, {
        headers: { accept: 'application/x-ndjson', ...headers, authorization: `Bearer ${token}` },
        signal: ended.signal,
      }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      // From here on, errors are reported by the response.
      asked.on('error', () => undefined);
      callOff();
      const status = answer.statusCode!;
      if (status !== 200) {
        const requestId = answer.headers['x-request-id'];
        resourceOf(status, await textOf(answer), typeof requestId === 'string' ? requestId : null);
        throw new Failure(EXIT.failed, `${url} answered ${status} instead of sending a stream.`);
      }
      begun = true;
      onOpen?.();
      const pieces: AsyncIterable<Uint8Array> = answer;
      for await (const piece of pieces) yield piece;
    } catch (error) {
      const why: unknown = ended.signal.reason ?? error;
      if (why instanceof Failure) throw why;
      throw begun ? cutOff(why, target.origin) : unreachable(why, target.origin, timeoutMs, advice);
    } finally {
      callOff();
      signal?.removeEventListener('abort', end);
      ended.abort();
    }
  }

  return {
    address: url,
    stream,
    get: async (path, query) => part((await call('GET', path, query))['data']),
    async page(path, query) {
      const body = await call('GET', path, query);
      const meta = maybe(body['meta'], part);
      const total = maybe(meta?.['total'], number);
      return {
        data: parts(body['data']),
        next: maybe(meta?.['next_cursor'], text),
        total: total === null ? null : { count: total, capped: meta?.['total_capped'] === true },
      };
    },
    async follow(path, query) {
      const body = await call('GET', path, query);
      return { data: parts(body['data']), position: maybe(part(body['meta'])['position'], text) };
    },
    async list(path, query, limit) {
      const rows: Resource[] = [];
      let total: Total | null = null;
      let after: string | undefined;
      for (;;) {
        const left = Math.min(PAGE, limit - rows.length);
        const page = await this.page(path, { ...query, limit: left, after });
        rows.push(...page.data);
        total ??= page.total;
        if (page.next === null || rows.length >= limit) return { rows, more: page.next !== null, total };
        after = page.next;
      }
    },
    async upload(path, query, bytes, type) {
      const sent = { type, content: Uint8Array.from(bytes) };
      const { status, text, requestId } = await exchange(addressOf(path, query), 'POST', sent, {});
      return part(resourceOf(status, text, requestId)['data'] ?? {});
    },
    sendAll: async (path, body) => parts((await call('POST', path, {}, body))['data']),
    send: async (method, path, body, headers) =>
      part((await call(method, path, {}, body, headers))['data'] ?? {}),
  };
}

function cutOff(error: unknown, origin: string): Failure {
  const [code, message] = [codeOf(error), messageOf(error)];
  return new Failure(
    EXIT.unreachable,
    `${origin} cut its answer off (${code ?? message}).`,
    'Check the server and the network between, then repeat the command.',
  );
}

function unreachable(error: unknown, origin: string, timeoutMs: number, advice: Advice): Failure {
  const timedOut = error instanceof Error && error.name === 'TimeoutError';
  const code = codeOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
  return new Failure(
    EXIT.unreachable,
    timedOut
      ? `${origin} did not answer within ${counted(timeoutMs / 1000, 'second')}.`
      : `${origin} can't be reached${code === undefined ? '' : ` (${code})`}.`,
    timedOut
      ? 'Try again, or allow more with --timeout. The server may have done it already: check before you repeat the command.'
      : advice.start,
  );
}
