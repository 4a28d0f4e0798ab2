/** A client of the API that can also send malformed requests: raw paths, headers and bodies, without normalisation. */
import { request, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import type { TestApi } from './make-api.js';
import { recordsSince } from '../records.js';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Parsed body; undefined when the response has no body. */
  readonly body: AnswerBody;
}

/** The two envelopes, loosely typed: a test that reads an absent field fails by itself. */
export interface AnswerBody {
  readonly data?: unknown;
  readonly meta?: { readonly next_cursor: string | null };
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
    readonly request_id: string;
  };
}

export interface Ask {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent as JSON, with its content type. */
  readonly json?: unknown;
  /** Sent unchanged, without a content type. */
  readonly raw?: string | Buffer;
}

export function ask(
  api: Pick<TestApi, 'url'>,
  method: string,
  path: string,
  options: Ask = {},
): Promise<Answer> {
  const { hostname, port, pathname } = new URL(api.url);
  const body = options.json === undefined ? options.raw : JSON.stringify(options.json);
  const headers: Record<string, string | string[] | number> = {
    ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
    ...(options.json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(body === undefined || options.headers?.['transfer-encoding']
      ? {}
      : { 'content-length': Buffer.byteLength(body) }),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const req = request({ hostname, port, method, path: pathname + path, headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({
          status: res.statusCode!,
          headers: res.headers,
          text,
          body: (text === '' ? {} : JSON.parse(text)) as AnswerBody,
        });
      });
    });
    req.on('error', reject);
    req.end(body);
  });
}

/** Returns `data` of a response after checking its status. */
export function dataOf<T = Readonly<Record<string, unknown>>>(answer: Answer, status = 200): T {
  expect(answer.status, answer.text).to.equal(status);
  return answer.body.data as T;
}

/** Status and error code of a response. */
export const outcomeOf = ({ status, body }: Answer): readonly [number, string | undefined] => [
  status,
  body.error?.code,
];

/** Returns every page of a list by following its cursors. */
export async function pagesOf<T>(
  list: (after: string) => Promise<{ readonly data: T; readonly next: string | null }>,
): Promise<readonly T[]> {
  const pages: T[] = [];
  for (let after = ''; pages.length < 200;) {
    const { data, next } = await list(after);
    pages.push(data);
    if (next === null) return pages;
    after = `&after=${next}`;
  }
  throw new Error('the list does not end');
}

export const fieldsOf = (answer: Answer): readonly { path: string; code: string; message: string }[] =>
  (answer.body.error?.details['fields'] ?? []) as { path: string; code: string; message: string }[];

/** Number of stored events; a refused request must not change it. */
export async function countEvents(api: TestApi): Promise<number> {
  return (await recordsSince(api.app.store)).length;
}
