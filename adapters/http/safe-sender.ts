/**
 * The only HTTP client for addresses that a third party chose. It follows no redirect, keeps one deadline over
 * everything, reads a limited part of an answer, and never throws: every failure has a class.
 *
 * Once a status line has arrived it is final, even if the rest of the answer is slow, breaks off or never ends. The
 * receiver has decided, and reporting an accepted delivery as failed would only cause a duplicate. `brokeOff` reports
 * that the rest is missing, for callers that need it.
 */
import { createCache } from '../../ports/cache.js';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../ports/clock.js';
import type { HttpFailure, HttpRequest, HttpResult, HttpSender } from '../../ports/http-sender.js';
import { errorOf } from '../../ports/thrown.js';
import { systemClock } from '../clock/system.js';
import { mistakeInUrl, type Inspection, type Target } from './address-policy.js';
import { deadline } from './deadline.js';
import { DeadlinePassed, describe, flatten } from './failures.js';
import { createGuardedClient, type GuardedClientOptions } from './guarded-client.js';

export interface HttpSenderOptions extends GuardedClientOptions {
  /** How much of a response body is kept when the request does not specify it. Default 16 kB. */
  readonly maxBodyBytes?: number;
}

/** Read and discarded, so that the connection can be reused; a longer answer costs the connection. */
const DRAIN_BYTES = 64 * 1024;
const DEFAULT_KEPT_BYTES = 16 * 1024;
const DEFAULT_CONNECTIONS = 128;
const REMEMBERED_URLS = 10_000;

export function createHttpSender(options: HttpSenderOptions): HttpSender {
  const { clock = systemClock } = options;
  const keptBytes = options.maxBodyBytes ?? DEFAULT_KEPT_BYTES;
  const client = createGuardedClient({ ...options, connections: options.connections ?? DEFAULT_CONNECTIONS });
  // The same few addresses are called again and again.
  const inspections = createCache<string, Inspection>(REMEMBERED_URLS);
  let closed = false;

  function inspect(url: string): Inspection {
    let inspection = inspections.get(url);
    if (inspection === undefined) {
      inspection = client.inspect(url);
      inspections.set(url, inspection);
    }
    return inspection;
  }

  async function request(attempt: HttpRequest): Promise<HttpResult> {
    const startedAt = clock.monotonic();
    const elapsed = (): number => Math.round(clock.monotonic() - startedAt);
    const failed = (failure: HttpFailure, message: string, address: string | null): HttpResult => ({
      kind: 'failed',
      failure,
      message,
      durationMs: elapsed(),
      address,
    });
    if (closed) return failed('connect', 'the sender is closed', null);
    const inspection = inspect(attempt.url);
    if (!inspection.ok) return failed(inspection.failure, inspection.reason, null);
    const { target } = inspection;
    try {
      await client.vet(target, attempt.timeoutMs);
      const exchange = await exchangeOnce(
        clock,
        client.dispatcher,
        target,
        attempt,
        startedAt,
        attempt.keepBytes ?? keptBytes,
      );
      return {
        kind: 'answered',
        status: exchange.status,
        headers: exchange.headers,
        bodyText: Buffer.concat(exchange.kept).toString('utf8'),
        ...(exchange.brokeOff ? { brokeOff: true } : {}),
        durationMs: elapsed(),
        address: client.addressOf(target.origin),
      };
    } catch (error) {
      const { failure, message, dialled } = describe(error);
      return failed(failure, message, dialled ? client.addressOf(target.origin) : null);
    }
  }

  return {
    request,
    post: (attempt) => request({ ...attempt, method: 'POST' }),
    refusal(url, demands) {
      const inspection = inspect(url);
      if (!inspection.ok) return inspection.reason;
      return demands?.configured === true ? mistakeInUrl(url, options) : null;
    },
    async close() {
      closed = true;
      await client.close();
    },
  };
}

interface Exchange {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly kept: readonly Buffer[];
  readonly brokeOff: boolean;
}

/** Passed to undici to stop reading; callers never see it. */
const ENOUGH = new Error('enough of the answer has been read');

function exchangeOnce(
  clock: Clock,
  agent: Dispatcher,
  target: Target,
  attempt: HttpRequest,
  startedAt: number,
  keptBytes: number,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let over = false;
    let status = 0;
    let headers: Readonly<Record<string, string>> = {};
    const kept: Buffer[] = [];
    let keptSize = 0;
    let readSize = 0;

    const finish = (error: Error | null): void => {
      if (over) return;
      over = true;
      callOff();
      const brokeOff = error !== null && error !== ENOUGH;
      if (error === null || status !== 0) resolve({ status, headers, kept, brokeOff });
      else reject(error);
    };
    const cut = (error: Error): void => {
      finish(error);
      controller?.abort(error);
    };
    const remaining = Math.max(0, attempt.timeoutMs - (clock.monotonic() - startedAt));
    const callOff = deadline(clock, remaining, () => cut(new DeadlinePassed()));

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        // The deadline may have passed while the request waited for a connection: then it must not be sent.
        if (over) started.abort(ENOUGH);
      },
      onResponseStart(_, statusCode, received) {
        if (statusCode < 200) return;
        status = statusCode;
        headers = flatten(received);
      },
      onResponseData(_, chunk) {
        readSize += chunk.length;
        if (keptSize < keptBytes) {
          const part = chunk.subarray(0, keptBytes - keptSize);
          kept.push(Buffer.from(part));
          keptSize += part.length;
        }
        if (readSize > Math.max(DRAIN_BYTES, keptBytes)) cut(ENOUGH);
      },
      onResponseEnd: () => finish(null),
      onResponseError: (_, error) => finish(error),
    };
    try {
      agent.dispatch(
        {
          origin: target.origin,
          path: target.path,
          method: attempt.method,
          headers: attempt.headers,
          body: attempt.body,
        },
        handler,
      );
    } catch (error) {
      finish(errorOf(error));
    }
  });
}
