/** HTTP client of the admin API. Every call ends in time, with an answer or with a Failure. */
import type { Credentials } from './credentials.js';
import { EXIT, Failure, fromAnswer } from './failure.js';

export type Resource = Readonly<Record<string, unknown>>;
export type Query = Readonly<Record<string, string | number | undefined>>;

export interface Client {
  get(path: string, query?: Query): Promise<Resource>;
  /** Follows the cursor until `limit` resources are there. */
  list(path: string, query: Query, limit: number): Promise<readonly Resource[]>;
  /** One page as it came: resources and the cursor of the next. */
  page(
    path: string,
    query: Query,
  ): Promise<{ readonly data: readonly Resource[]; readonly next: string | null }>;
  send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Resource>;
}

/** The most that the API gives at once. */
const PAGE = 100;

export function createClient({ url, token }: Credentials, timeoutMs: number): Client {
  async function call(method: string, path: string, query: Query = {}, body?: object): Promise<Resource> {
    const target = new URL(url + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) target.searchParams.set(name, String(value));
    }
    const { status, text, requestId } = await exchange(target, method, body);
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
      const response = await fetch(target, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        // The token must not follow wherever somebody points.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, text, requestId: response.headers.get('x-request-id') };
    } catch (error) {
      throw unreachable(error, target.origin, timeoutMs);
    }
  }

  return {
    get: async (path, query) => (await call('GET', path, query))['data'] as Resource,
    async page(path, query) {
      const body = await call('GET', path, query);
      const meta = body['meta'] as { readonly next_cursor: string | null } | undefined;
      return { data: body['data'] as readonly Resource[], next: meta?.next_cursor ?? null };
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

function unreachable(error: unknown, origin: string, timeoutMs: number): Failure {
  const timedOut = error instanceof Error && error.name === 'TimeoutError';
  const cause = (error as { cause?: { code?: string } }).cause?.code;
  return new Failure(
    EXIT.unreachable,
    timedOut
      ? `${origin} did not answer within ${timeoutMs / 1000} seconds.`
      : `${origin} can't be reached${cause === undefined ? '' : ` (${cause})`}.`,
    timedOut
      ? 'Try again, or allow more with --timeout. What was asked for may have been done: look before you repeat it.'
      : 'Start the server with "npm start", or name its address with --admin-url or RECADO_ADMIN_URL.',
  );
}
