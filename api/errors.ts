/**
 * Maps codes to HTTP statuses, and any thrown value to the error envelope of the contract. The content of error
 * responses is decided only here.
 */
import { Refusal } from '../domain/kernel/refusal.js';
import { StoreUnavailable } from '../ports/event-store.js';
import { ReadModelBehind, SearchNotReady } from '../ports/read-models.js';

/** Codes whose status is not 422, the status of validation and business rules (spec §7). */
const STATUSES: Readonly<Record<string, number>> = {
  invalid_json: 400,
  unauthenticated: 401,
  insufficient_scope: 403,
  insufficient_role: 403,
  password_needed: 403,
  revealing_off: 403,
  marketing_sends_disabled: 403,
  cross_site_request: 403,
  host_not_allowed: 403,
  storefront_not_allowed: 403,
  not_found: 404,
  console_off: 404,
  channel_not_found: 404,
  template_not_found: 404,
  flow_version_not_found: 404,
  method_not_allowed: 405,
  idempotency_key_reused: 409,
  order_uuid_reused: 409,
  external_contact_conflict: 409,
  concurrent_update: 409,
  rebuild_in_progress: 409,
  rebuild_not_open: 409,
  event_not_failing: 409,
  generation_live: 409,
  generation_not_there: 409,
  version_live: 409,
  version_not_there: 409,
  history_not_empty: 409,
  import_conflict: 409,
  import_not_begun: 409,
  events_feed_off: 409,
  import_not_enabled: 409,
  master_key_differs: 409,
  identity_taken: 409,
  not_a_sandbox_channel: 409,
  trigger_not_possible: 409,
  channel_already_connected: 409,
  backup_running: 409,
  email_taken: 409,
  last_owner: 409,
  no_account: 409,
  nothing_masked: 409,
  oidc_off: 409,
  oidc_only_way: 409,
  oidc_subject_taken: 409,
  totp_enrolled: 409,
  events_expired: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  too_many_streams: 429,
  sign_in_slowed: 429,
  reveals_exhausted: 429,
  headers_too_large: 431,
  internal_error: 500,
  not_implemented: 501,
  unavailable: 503,
  provider_unavailable: 503,
  oidc_unreachable: 503,
};

export const statusOf = (code: string): number => STATUSES[code] ?? 422;

export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** An error to log with its stack; absent for refusals, which are not server faults. */
  readonly cause?: unknown;
}

const NO_HEADERS: Readonly<Record<string, string>> = {};
const RETRY_SECONDS = 5;
/** Building a search index of hundreds of thousands of documents takes minutes. */
const SEARCH_RETRY_SECONDS = 15;

/** Unknown errors become a 500 without any information about their cause. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Refusal) return fromRefusal(error);
  if (error instanceof SearchNotReady) {
    const message = `The search over ${error.collection} is being prepared, ${Math.floor(error.done * 100)} % is done. Lists without \`query\` work meanwhile.`;
    return {
      ...fromRefusal(new Refusal('unavailable', message, { retry_after_seconds: SEARCH_RETRY_SECONDS })),
      cause: error,
    };
  }
  if (error instanceof ReadModelBehind) {
    const message =
      'What this request needs is still being brought up to date, as after a restore. Repeat the request; with the same Idempotency-Key where you sent one.';
    return {
      ...fromRefusal(new Refusal('unavailable', message, { retry_after_seconds: RETRY_SECONDS })),
      cause: error,
    };
  }
  if (error instanceof StoreUnavailable) {
    return {
      ...fromRefusal(
        new Refusal(
          'unavailable',
          'The service is temporarily unavailable. Repeat the request; with the same Idempotency-Key where you sent one.',
          { retry_after_seconds: RETRY_SECONDS },
        ),
      ),
      cause: error,
    };
  }
  return {
    ...fromRefusal(
      new Refusal('internal_error', 'Something went wrong on our side. Quote the request_id to support.'),
    ),
    cause: error,
  };
}

function fromRefusal({ code, message, details }: Refusal): Problem {
  const status = statusOf(code);
  return { status, code, message, details, headers: headersFor(status, details) };
}

function headersFor(
  status: number,
  details: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  if (status === 401) return { 'WWW-Authenticate': 'Bearer realm="recado"' };
  if (status === 405) return { Allow: String(details['allow']) };
  // RFC 9110 §15.5.16: names the coding that would have been accepted.
  if (status === 415) return { 'Accept-Encoding': 'identity' };
  const wait = details['retry_after_seconds'];
  if (status !== 429 && status !== 503) return NO_HEADERS;
  return { 'Retry-After': String(typeof wait === 'number' ? Math.max(1, Math.ceil(wait)) : RETRY_SECONDS) };
}
