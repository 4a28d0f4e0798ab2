/** One call over HTTP: its attempts, time-outs and retries. */
import { KEYED_CALLS } from './contract.js';
import { answerOf, retryAfter } from './answer.js';
import { ApiError, ConnectionError, RecadoError, TimeoutError } from './errors.js';
import type { Answer, KeyedOptions, Method } from './types.js';

/** Time, as far as the client needs it. Tests give their own. */
export interface Timers {
  /** Unix milliseconds. */
  now(): number;
  /** Rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface TransportOptions {
  /** A key of the integration. */
  readonly apiKey: string;
  /** Ends with `/api/v1`, such as `https://recado.example.com/api/v1`. */
  readonly baseUrl: string;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** For each attempt, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first one. Default: 3. */
  readonly maxRetries?: number | undefined;
  /** A `Retry-After` above this many milliseconds is not waited for: the error is thrown. Default: 60,000. */
  readonly maxRetryWaitMs?: number | undefined;
  /** Called before each wait for another attempt, for your log. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  readonly timers?: Timers | undefined;
}

export interface Retry {
  /** Such as `POST /messages`. */
  readonly call: string;
  /** The one that failed, from 1. */
  readonly attempt: number;
  readonly waitMs: number;
  readonly error: RecadoError;
}

export interface Request extends KeyedOptions {
  readonly method: Method;
  /** With its placeholders: `/contacts/{contact_uuid}`. */
  readonly path: string;
  readonly values?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** The whole call may be made twice without harm, although it is a POST without a key. */
  readonly repeatable?: boolean | undefined;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** Statuses after which the same call may succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
/** Of these, the ones by which the server says that it did nothing. */
const UNTOUCHED: ReadonlySet<number> = new Set([408, 429, 503]);

const systemTimers: Timers = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end);
    });
    signal?.throwIfAborted();
  },
};

/** `fetch` says only that it failed; its innermost cause says why. */
const rootOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : rootOf(error.cause);
};

export class Transport {
  readonly timers: Timers;
  readonly #options: TransportOptions;
  readonly #fetch: typeof globalThis.fetch;

  /** @throws RecadoError if the key or the address is missing */
  constructor(options: TransportOptions) {
    if (!options.apiKey) throw new RecadoError('`apiKey` is empty: give the key of your integration.');
    if (!/^https?:\/\//.test(options.baseUrl)) {
      throw new RecadoError('`baseUrl` must be an address such as https://recado.example.com/api/v1.');
    }
    this.#options = options;
    this.timers = options.timers ?? systemTimers;
    // Called as a plain function: browsers and workers refuse a `fetch` that is a method of something else.
    const { fetch = globalThis.fetch } = options;
    this.#fetch = (input, init) => fetch(input, init);
  }

  /**
   * @returns the parsed body; an empty object if there is none
   * @throws ApiError, ConnectionError, or the reason of `signal`
   */
  async call(request: Request): Promise<Answer<object>> {
    const name = `${request.method} ${request.path}`;
    const retries = request.maxRetries ?? this.#options.maxRetries ?? 3;
    const keyed = KEYED_CALLS.has(name);
    const safe = keyed || request.method !== 'POST' || request.repeatable === true;
    // Made once: every retry of this call carries the same key.
    const init = this.#init(request, keyed ? (request.idempotencyKey ?? crypto.randomUUID()) : undefined);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(name, init, request);
      } catch (error) {
        if (attempt > retries || !(error instanceof RecadoError)) throw error;
        const waitMs = this.#waitAfter(error, attempt, safe);
        if (waitMs === null) throw error;
        this.#options.onRetry?.({ call: name, attempt, waitMs, error });
        await this.timers.sleep(waitMs, request.signal);
      }
    }
  }

  #init(request: Request, key: string | undefined): RequestInit {
    const { method, body, headers } = request;
    return {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${this.#options.apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
  }

  async #attempt(name: string, init: RequestInit, request: Request): Promise<Answer<object>> {
    const { signal } = request;
    signal?.throwIfAborted();
    const timeoutMs = request.timeoutMs ?? this.#options.timeoutMs ?? 60_000;
    const ended = new AbortController();
    const late = setTimeout(
      () => ended.abort(new TimeoutError(`${name}: no answer in ${timeoutMs} ms.`)),
      timeoutMs,
    );
    const abort = (): void => ended.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const response = await this.#fetch(this.#address(request), { ...init, signal: ended.signal });
      return answerOf(name, response, await response.text());
    } catch (error) {
      if (ended.signal.aborted) throw ended.signal.reason;
      if (error instanceof RecadoError) throw error;
      const { baseUrl } = this.#options;
      throw new ConnectionError(`${name}: no answer came from ${baseUrl}: ${rootOf(error)}`, {
        cause: error,
      });
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', abort);
    }
  }

  #address({ path, values = {}, query = {} }: Request): string {
    const given = new Map<string, unknown>(Object.entries(values));
    const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
      const value = given.get(name);
      // An empty one, or one that addresses take for "here" or "above", would ask for another resource.
      if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) {
        throw new RecadoError(
          `${path}: \`${name}\` is ${JSON.stringify(value)}, which can't be in an address.`,
        );
      }
      return encodeURIComponent(value);
    });
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      // The contract writes a list with commas.
      if (value !== undefined && value !== null) search.append(name, String(value));
    }
    const text = search.size === 0 ? '' : `?${search}`;
    return this.#options.baseUrl.replace(/\/+$/, '') + filled + text;
  }

  /** Milliseconds until the next attempt; null if there must be none. */
  #waitAfter(error: RecadoError, attempt: number, safe: boolean): number | null {
    const backoff =
      Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2);
    if (error instanceof ConnectionError) return safe ? backoff : null;
    if (!(error instanceof ApiError)) return null;
    const { status, code, headers } = error;
    const untouched = UNTOUCHED.has(status) || (status === 409 && code === 'concurrent_update');
    if (!untouched && !(safe && PASSING.has(status))) return null;
    const asked = retryAfter(headers.get('retry-after'), this.timers.now());
    if (asked === null) return backoff;
    return asked > (this.#options.maxRetryWaitMs ?? 60_000) ? null : Math.max(asked, backoff);
  }
}
