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

/** Counts the sessions of this page: an answer to what an earlier one asked says nothing of the present one. */
let sessions = 0;
export const sessionBegins = (): void => void (sessions += 1);

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
  const session = sessions;
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
  const { status, statusText } = answer;
  const refusal = refusalOf(session, status, statusText, text, answer.headers.get('x-request-id'));
  if (refusal.code === 'password_needed' && (await askPassword())) return call(method, path, body, headers);
  throw refusal;
}

/** @param session in which the call began */
function refusalOf(
  session: number,
  status: number,
  statusText: string,
  text: string,
  requestId: string | null,
): ApiError {
  if (status === 401 && session === sessions) dispatchEvent(new Event(SIGNED_OUT));
  const { error } = readable(text);
  return new ApiError(
    status,
    error?.code ?? `http_${status}`,
    error?.message ?? statusText,
    error?.request_id ?? requestId,
    error?.details?.fields,
    error?.details,
  );
}

/**
 * Sends a file as it is.
 * @param onProgress told the part that was sent, from 0 to 1
 */
export function upload<T>(
  path: string,
  bytes: Blob,
  type: string,
  onProgress: (part: number) => void,
): Promise<T> {
  // `fetch` tells nothing of its progress.
  const request = new XMLHttpRequest();
  const session = sessions;
  return new Promise((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    );
    request.addEventListener('error', () => reject(new ApiError(0, 'unreachable', 'unreachable', null)));
    request.addEventListener('load', () => {
      const { status, statusText, responseText } = request;
      if (status < 300) resolve((JSON.parse(responseText) as { data: T }).data);
      else
        reject(
          refusalOf(session, status, statusText, responseText, request.getResponseHeader('x-request-id')),
        );
    });
    request.open('POST', ROOT + path);
    request.setRequestHeader('x-recado-console', '1');
    request.setRequestHeader('content-type', type);
    request.send(bytes);
  });
}

/** Where the browser itself loads a picture, a sound or a download. */
export const addressOfFile = (path: string): string => ROOT + path;

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

/** A list page by page; `isLast` where none follows. */
export async function* pagesOf<T>(
  path: string,
  query: Query = {},
): AsyncGenerator<{ readonly data: readonly T[]; readonly isLast: boolean }> {
  let after: string | undefined;
  do {
    const page = await list<T>(path, { ...query, limit: 100, after });
    after = page.meta.next_cursor ?? undefined;
    yield { data: page.data, isLast: after === undefined };
  } while (after !== undefined);
}

export const send = async <T = unknown>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
): Promise<T> => {
  const answer = (await call(method, path, body, headers)) as { data: T } | null;
  return answer?.data as T;
};
