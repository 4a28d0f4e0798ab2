/**
 * The one HTTP client for addresses that somebody else chose. It follows no redirect, keeps one deadline over
 * everything, reads only so much of an answer, and never throws: every way to fail has a class.
 *
 * Once a status line has arrived it is the verdict, also when the rest of the answer drips, breaks off or never ends:
 * the receiver has spoken, and calling an accepted delivery failed would only make a duplicate.
 */
import { LRUCache } from 'lru-cache';
import { errors, type Dispatcher } from 'undici';
import type { HttpAttempt, HttpFailure, HttpResult, HttpSender } from '../../ports/http-sender.js';
import {
  inspectUrl,
  isAddressAllowed,
  classifyAddress,
  PUBLIC_PORTS,
  type AllowPrivate,
  type Inspection,
  type Target,
} from './address-policy.js';
import { BlockedAddress, createGuardedAgent } from './guarded-agent.js';
import { createHostResolver, HostNotResolved, type ResolveHost } from './host-resolver.js';

export interface HttpSenderOptions {
  /** Whether loopback, or loopback and private networks, may be dialled. Link-local and reserved space never may. */
  readonly allowPrivate: AllowPrivate;
  /** Ports open to public addresses. Default 80, 443, 8080, 8443; local addresses, when allowed, may use any. */
  readonly allowedPorts?: readonly number[];
  /** How much of an answer's body is kept. Default 16 kB. */
  readonly maxBodyBytes?: number;
  /** Most connections per origin. Default 128; what exceeds it waits within its deadline. */
  readonly connections?: number;
  /** Default 5000; always within the attempt's own deadline. */
  readonly connectTimeoutMs?: number;
  /** Budget for name resolution. Default 3000. */
  readonly dnsTimeoutMs?: number;
  /** Replaces name resolution. */
  readonly resolve?: ResolveHost;
}

/** Read and thrown away, so that the connection can be used again; a longer answer costs the connection. */
const DRAIN_BYTES = 64 * 1024;
const DEFAULT_KEPT_BYTES = 16 * 1024;
const REMEMBERED_URLS = 10_000;

export function createHttpSender(options: HttpSenderOptions): HttpSender {
  const { allowPrivate } = options;
  const policy = { allowPrivate, publicPorts: new Set(options.allowedPorts ?? PUBLIC_PORTS) };
  const keptBytes = options.maxBodyBytes ?? DEFAULT_KEPT_BYTES;
  const resolve =
    options.resolve ??
    createHostResolver({ budgetMs: options.dnsTimeoutMs ?? 3000, hostsFile: allowPrivate !== 'none' });
  const inspections = new LRUCache<string, Inspection>({ max: REMEMBERED_URLS });
  const addresses = new LRUCache<string, string>({ max: REMEMBERED_URLS });
  const agent = createGuardedAgent({
    allowPrivate,
    resolve,
    connectTimeoutMs: options.connectTimeoutMs ?? 5000,
    connections: options.connections ?? 128,
    onConnected: (origin, address) => addresses.set(origin, address),
  });
  let closed = false;

  function inspect(url: string): Inspection {
    let inspection = inspections.get(url);
    if (inspection === undefined) {
      inspection = inspectUrl(url, policy);
      inspections.set(url, inspection);
    }
    return inspection;
  }

  /** A port that is not open to the public may only lead to local addresses. */
  async function vetPort(target: Target): Promise<void> {
    const found = await resolve(target.hostname);
    const fits = (address: string) =>
      isAddressAllowed(address, allowPrivate) && classifyAddress(address) !== 'public';
    if (!found.every(fits)) throw new BlockedAddress();
  }

  async function post(attempt: HttpAttempt): Promise<HttpResult> {
    const startedAt = performance.now();
    const failed = (failure: HttpFailure, message: string, address: string | null): HttpResult => ({
      kind: 'failed',
      failure,
      message,
      durationMs: elapsed(startedAt),
      address,
    });
    if (closed) return failed('connect', 'the sender is closed', null);
    const inspection = inspect(attempt.url);
    if (!inspection.ok) return failed(inspection.failure, inspection.reason, null);
    const { target } = inspection;
    try {
      if (target.localOnly) await inTime(vetPort(target), attempt.timeoutMs);
      const exchange = await exchangeOnce(agent, target, attempt, startedAt, keptBytes);
      return {
        kind: 'answered',
        status: exchange.status,
        headers: exchange.headers,
        bodyText: Buffer.concat(exchange.kept).toString('utf8'),
        durationMs: elapsed(startedAt),
        address: addresses.get(target.origin) ?? null,
      };
    } catch (error) {
      const { failure, message, dialled } = describe(error);
      return failed(failure, message, dialled ? (addresses.get(target.origin) ?? null) : null);
    }
  }

  return {
    post,
    refusal(url) {
      const inspection = inspect(url);
      return inspection.ok ? null : inspection.reason;
    },
    async close() {
      closed = true;
      await agent.destroy();
    },
  };
}

const elapsed = (startedAt: number): number => Math.round(performance.now() - startedAt);

interface Exchange {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly kept: readonly Buffer[];
}

const NOT_IN_TIME = 'no answer in time';

class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlinePassed(NOT_IN_TIME)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Thrown into undici to stop reading; never seen by a caller. */
const ENOUGH = new Error('enough of the answer has been read');

function exchangeOnce(
  agent: Dispatcher,
  target: Target,
  attempt: HttpAttempt,
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
      clearTimeout(deadline);
      if (error === null || status !== 0) resolve({ status, headers, kept });
      else reject(error);
    };
    const cut = (error: Error): void => {
      finish(error);
      controller?.abort(error);
    };
    const remaining = Math.max(0, attempt.timeoutMs - (performance.now() - startedAt));
    const deadline = setTimeout(() => cut(new DeadlinePassed(NOT_IN_TIME)), remaining);

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        // The deadline may have passed while the request waited for a connection: it must not be sent any more.
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
        if (readSize > DRAIN_BYTES) cut(ENOUGH);
      },
      onResponseEnd: () => finish(null),
      onResponseError: (_, error) => finish(error),
    };
    try {
      agent.dispatch(
        {
          origin: target.origin,
          path: target.path,
          method: 'POST',
          headers: attempt.headers,
          body: attempt.body,
        },
        handler,
      );
    } catch (error) {
      finish(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

interface Description {
  readonly failure: HttpFailure;
  readonly message: string;
  /** A connection may have been made, so an address is worth telling. */
  readonly dialled: boolean;
}

/** OpenSSL's verification errors have no common prefix in Node (`tls` docs, "X509 certificate error codes"). */
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|CERT_|EPROTO$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|CRL_)/;
const RESET_CODES = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET']);
const CONNECT_CODES = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
]);

function describe(error: unknown): Description {
  const describeAs = (failure: HttpFailure, message: string, dialled: boolean) => ({
    failure,
    message,
    dialled,
  });
  if (error instanceof BlockedAddress) return describeAs('blocked_address', error.message, false);
  if (error instanceof HostNotResolved) return describeAs('dns', error.message, false);
  if (error instanceof DeadlinePassed) return describeAs('timeout', error.message, true);
  const code = errorCode(error);
  if (error instanceof errors.ConnectTimeoutError || code === 'ETIMEDOUT') {
    return describeAs('timeout', 'no connection in time', false);
  }
  if (CONNECT_CODES.has(code)) return describeAs('connect', `no connection: ${code}`, false);
  if (TLS_CODE.test(code)) return describeAs('tls', `TLS failed: ${code}`, false);
  if (RESET_CODES.has(code)) return describeAs('reset', 'the connection was closed before an answer', true);
  return describeAs('protocol', `the exchange failed: ${code}`, true);
}

function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : 'unknown';
}
