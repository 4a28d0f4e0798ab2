/** Calls of the admin API, by the session's cookie. This is the only place that knows how they are made. */
import type { components } from './contract.js';

export type Schemas = components['schemas'];

/** An answer that is no success, as the API explains it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly status: number,
    /** `unreachable` when no server answered. */
    readonly code: string,
    message: string,
    readonly requestId: string | null,
    readonly fields: readonly { readonly path: string; readonly message: string }[] = [],
    /** As the API names them, such as the field of a refused product. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

export type Query = Readonly<Record<string, string | number | undefined>>;

export interface Page<T> {
  readonly data: readonly T[];
  readonly meta: { readonly next_cursor: string | null; readonly total?: number };
}

interface WireError {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly request_id?: string | null;
    readonly details?: Readonly<Record<string, unknown>> & {
      readonly fields?: readonly { readonly path: string; readonly message: string }[];
    };
  };
}

/** Told to the window when a call finds that the session is over. */
export const SIGNED_OUT = 'recado:signed-out';

const ROOT = '/admin/v1';

/** Asks the person for the password; resolves to whether it was shown. */
let askPassword: () => Promise<boolean> = () => Promise.resolve(false);

/** What the API asks the password for, is then asked in the page, and done after it. */
export function askForPasswordBy(ask: () => Promise<boolean>): void {
  askPassword = ask;
}

async function call(
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  let answer: Response;
  try {
    answer = await fetch(ROOT + path, {
      method,
      credentials: 'same-origin',
      headers: {
        'x-recado-console': '1',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError(0, 'unreachable', 'unreachable', null);
  }
  const text = await answer.text();
  if (answer.ok) return text === '' ? null : JSON.parse(text);
  if (answer.status === 401) dispatchEvent(new Event(SIGNED_OUT));
  const { error } = readable(text);
  if (error?.code === 'password_needed' && (await askPassword())) return call(method, path, body, headers);
  throw new ApiError(
    answer.status,
    error?.code ?? `http_${answer.status}`,
    error?.message ?? answer.statusText,
    error?.request_id ?? answer.headers.get('x-request-id'),
    error?.details?.fields,
    error?.details,
  );
}

/** A proxy in between may answer something else. */
function readable(text: string): WireError {
  try {
    return JSON.parse(text) as WireError;
  } catch {
    return {};
  }
}

function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const params = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? path : `${path}?${params.toString()}`;
}

export const get = async <T>(path: string): Promise<T> => ((await call('GET', path)) as { data: T }).data;

export const list = async <T>(path: string, query: Query = {}): Promise<Page<T>> =>
  (await call('GET', withQuery(path, query))) as Page<T>;

export const send = async <T = unknown>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
): Promise<T> => {
  const answer = (await call(method, path, body, headers)) as { data: T } | null;
  return answer?.data as T;
};
