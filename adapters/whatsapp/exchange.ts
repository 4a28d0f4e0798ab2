import type { Dispatcher } from 'undici';
import type { Clock } from '../../ports/clock.js';
import { deadline } from '../http/deadline.js';

export interface HttpExchange {
  readonly method: 'GET' | 'POST';
  readonly origin: string;
  /** With the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** One deadline over waiting for a socket, connecting, sending, headers and body. */
  readonly deadlineMs: number;
}

export type HttpExchangeResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly body: Buffer;
    }
  | {
      readonly kind: 'failed';
      /**
       * False proves that not one byte of this request was written to a socket. True proves nothing: the request was
       * handed to a socket, and its outcome is not known.
       */
      readonly written: boolean;
      /** Status of an answer that broke off, null when no answer had begun. */
      readonly status: number | null;
      readonly reason: string;
    };

/** Answers to the calls made here have a few hundred bytes; a page of templates stays well below this. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/**
 * One HTTP exchange that determines exactly whether the request was sent. It uses undici's dispatch handlers rather
 * than `request`, because only they report the moment at which a request is bound to a connected socket. undici calls
 * `onRequestStart` right before it writes the first byte. It never calls it for a request that failed while queued,
 * while connecting, during the TLS handshake, or on an idle socket that the server had already closed. undici does not
 * repeat requests here: no retry interceptor is installed, and a started request fails instead of being requeued.
 */
export function exchange(
  dispatcher: Dispatcher,
  clock: Pick<Clock, 'after'>,
  request: HttpExchange,
): Promise<HttpExchangeResult> {
  return new Promise((resolve) => {
    let written = false;
    let settled = false;
    let status: number | null = null;
    let responseHeaders: Record<string, string | string[] | undefined> = {};
    let controller: Dispatcher.DispatchController | null = null;
    const chunks: Buffer[] = [];
    let size = 0;

    const settle = (result: HttpExchangeResult): void => {
      if (settled) return;
      settled = true;
      callOff();
      resolve(result);
    };
    const fail = (reason: string): void => settle({ kind: 'failed', written, status, reason });

    // Uses `deadline`, because a discarded answer means a message with an unknown outcome.
    const callOff = deadline(clock, request.deadlineMs, () => {
      fail(`deadline of ${request.deadlineMs} ms passed`);
      // A request that is still queued has no controller yet; onRequestStart below drops it before it is written.
      controller?.abort(new Error('deadline'));
    });

    dispatcher.dispatch(
      {
        origin: request.origin,
        path: request.path,
        method: request.method,
        headers: { ...request.headers },
        body: request.body,
      },
      {
        onRequestStart(started) {
          if (settled) {
            started.abort(new Error('deadline'));
            return;
          }
          controller = started;
          written = true;
        },
        onResponseStart(_controller, statusCode, headers) {
          if (statusCode < 200) return;
          status = statusCode;
          responseHeaders = headers;
        },
        onResponseData(active, chunk) {
          size += chunk.length;
          if (size > MAX_BODY_BYTES) {
            fail('the answer is too large');
            active.abort(new Error('too large'));
            return;
          }
          chunks.push(chunk);
        },
        onResponseEnd() {
          const [first, second] = chunks;
          settle({
            kind: 'answered',
            status: status ?? 0,
            headers: responseHeaders,
            body: first && !second ? first : Buffer.concat(chunks),
          });
        },
        onResponseError(_controller, error) {
          fail(describe(error));
        },
      },
    );
  });
}

/** Codes such as ECONNREFUSED come first, because operators search for them. Never includes request data. */
function describe(error: Error): string {
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const source = cause instanceof Error ? cause : error;
  const code = 'code' in source && typeof source.code === 'string' ? source.code : null;
  return code === null
    ? source.message
    : source.message.includes(code)
      ? source.message
      : `${code}: ${source.message}`;
}
