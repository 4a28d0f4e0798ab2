import { isObject } from '../../domain/kernel/json.js';
import type { ProviderError } from '../../ports/provider.js';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * Reads Graph's error object, or null when the body is not one (a proxy's HTML page, an empty answer). Tolerates
 * variants that occur in practice: `code` as a digit string, `error_data` as a string, no `fbtrace_id`.
 * @param now time of arrival, epoch milliseconds: `Retry-After` may be a date
 */
export function readGraphError(
  body: unknown,
  httpStatus: number,
  headers: Headers,
  now: number,
): ProviderError | null {
  const error = isObject(body) ? body['error'] : null;
  if (!isObject(error)) return null;
  const code = integer(error['code']);
  if (code === null) return null;
  const data = error['error_data'];
  const subcode = integer(error['error_subcode']);
  return {
    code,
    title: text(error['message']) ?? text(error['error_user_title']) ?? `error ${code}`,
    details: isObject(data) ? text(data['details']) : (text(data) ?? text(error['error_user_msg'])),
    traceId: text(error['fbtrace_id']),
    httpStatus,
    retryAfterSeconds: retryAfter(headers, now),
    ...(subcode === null ? {} : { subcode }),
    ...(error['is_transient'] === true ? { transient: true } : {}),
  };
}

function integer(value: unknown): number | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : null;
}

/**
 * Meta does not document `Retry-After`, but intermediate gateways send it. Meta's own hint is the minutes in
 * `X-Business-Use-Case-Usage` (Graph API rate limiting).
 */
function retryAfter(headers: Headers, now: number): number | null {
  const header = headers['retry-after'];
  const value = Array.isArray(header) ? header[0] : header;
  if (value !== undefined && /^\d{1,9}$/.test(value.trim())) return Number(value);
  if (value !== undefined) {
    const at = Date.parse(value);
    if (!Number.isNaN(at)) return Math.max(0, Math.ceil((at - now) / 1000));
  }
  return usageMinutes(headers['x-business-use-case-usage']);
}

function usageMinutes(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string') return null;
  let usage: unknown;
  try {
    usage = JSON.parse(header);
  } catch {
    return null;
  }
  if (!isObject(usage)) return null;
  const minutes = Object.values(usage)
    .flatMap((entry): unknown[] => (Array.isArray(entry) ? entry : []))
    .map((entry) => (isObject(entry) ? entry['estimated_time_to_regain_access'] : null))
    .filter((value): value is number => typeof value === 'number' && value > 0);
  return minutes.length === 0 ? null : Math.ceil(Math.max(...minutes) * 60);
}
