/** Reads an HTTP answer: its body, or the error that it is. */
import { apiError, type ErrorDetails } from './errors.js';
import type { Answer } from './types.js';

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @param call such as `POST /messages`
 * @throws ApiError unless the status is 2xx
 */
export function answerOf(call: string, { status, ok, headers }: Response, text: string): Answer<object> {
  const body = parsed(text);
  const requestId = headers.get('x-request-id');
  if (ok && (isObject(body) || text === '')) {
    const replayed = headers.get('idempotent-replayed') === 'true';
    return Object.assign(isObject(body) ? body : {}, { requestId, replayed });
  }
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {};
  const { code, message, details } = error;
  throw apiError({
    call,
    status,
    // A proxy or a wrong address answers without a code of ours.
    code: typeof code === 'string' ? code : 'not_recado',
    message: typeof message === 'string' ? message : `This is not an answer of Recado: ${text.slice(0, 200)}`,
    details: isObject(details) ? (details satisfies ErrorDetails) : {},
    requestId,
    headers,
  });
}

/** Milliseconds that a `Retry-After` asks for, in seconds or as a date; null if there is none. */
export function retryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  const ms = /^[0-9]+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
