/** Reasons for a failed HTTP exchange, in classes that are safe to disclose: they reveal nothing about our network. */
import { errors } from 'undici';
import type { Clock } from '../../ports/clock.js';
import type { HttpFailure } from '../../ports/http-sender.js';
import { BlockedAddress } from './guarded-agent.js';
import { HostNotResolved } from './host-resolver.js';

const NOT_IN_TIME = 'no answer in time';

export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
  constructor() {
    super(NOT_IN_TIME);
  }
}

/** @throws DeadlinePassed */
export async function inTime<T>(clock: Pick<Clock, 'after'>, work: Promise<T>, ms: number): Promise<T> {
  let cancel: (() => void) | undefined;
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(ms, () => reject(new DeadlinePassed()));
  });
  return Promise.race([work, late]).finally(() => cancel?.());
}

/** One text for each response header. */
export function flatten(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

export interface Description {
  readonly failure: HttpFailure;
  readonly message: string;
  /** A connection may have been made, so the address is worth reporting. */
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

export function describe(error: unknown): Description {
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
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'name' in error && typeof error.name === 'string' ? error.name : 'unknown';
}
