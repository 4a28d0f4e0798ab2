/**
 * Maps codes to HTTP statuses, and any thrown value to the error envelope of the contract. The content of error
 * responses is decided only here.
 */
import { Refusal, type RefusalCode } from '../domain/kernel/refusal.js';
import { StoreUnavailable } from '../ports/event-store.js';
import { ReadModelBehind, SearchNotReady } from '../ports/read-models.js';

/** The status of each code: 422 for validation and business rules (spec §7). */
const STATUSES: Readonly<Record<RefusalCode, number>> = {
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
  backup_not_embedded: 422,
  backup_target_unusable: 422,
  cart_product_ambiguous: 422,
  cart_product_unknown: 422,
  category_cycle: 422,
  category_has_children: 422,
  category_limit_reached: 422,
  category_not_found: 422,
  category_slug_taken: 422,
  category_too_deep: 422,
  channel_marketing_paused: 422,
  channel_not_connected: 422,
  channel_required: 422,
  code_invalid: 422,
  code_needed: 422,
  company_daily_marketing_cap_exceeded: 422,
  contact_linked: 422,
  contact_merged: 422,
  conversation_closed: 422,
  delivery_erased: 422,
  delivery_unavailable: 422,
  duplicate_template_send: 422,
  execution_ended: 422,
  flow_invalid: 422,
  flow_not_active: 422,
  flow_running: 422,
  gtin_invalid: 422,
  history_damaged: 422,
  idempotency_key_required: 422,
  import_handle_taken: 422,
  import_refused: 422,
  insufficient_stock: 422,
  invalid_cursor: 422,
  invalid_status_transition: 422,
  invitation_invalid: 422,
  ledger_closed: 422,
  look_again: 422,
  ncm_invalid: 422,
  no_access: 422,
  not_a_person: 422,
  oidc_answer_invalid: 422,
  oidc_not_shown: 422,
  oidc_refused: 422,
  oidc_subject_unknown: 422,
  order_not_cancelled: 422,
  order_not_placed: 422,
  payment_method_unavailable: 422,
  pickup_unavailable: 422,
  price_changed: 422,
  price_invalid: 422,
  product_deleted: 422,
  product_image_invalid: 422,
  product_limit_reached: 422,
  product_unavailable: 422,
  promo_price_invalid: 422,
  provider_rejected: 422,
  recipient_erased: 422,
  recipient_marketing_limit_reached: 422,
  recipient_opted_out: 422,
  request_begun: 422,
  sandbox_disabled: 422,
  saved_replies_full: 422,
  secret_rotation_limit_reached: 422,
  short_cut_taken: 422,
  sign_in_failed: 422,
  sign_in_link_invalid: 422,
  store_not_ready: 422,
  store_slug_taken: 422,
  team_full: 422,
  template_frequency_cap_exceeded: 422,
  template_language_invalid: 422,
  template_not_approved: 422,
  template_parameters_invalid: 422,
  template_quality_blocked: 422,
  template_sends_disabled: 422,
  template_state_invalid: 422,
  unit_limit_exceeded: 422,
  unpaid_order_limit_reached: 422,
  validation_failed: 422,
  variant_duplicated: 422,
  variant_options_mismatch: 422,
  webhook_disabled: 422,
  webhook_job_limit_reached: 422,
  webhook_limit_reached: 422,
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

export const statusOf = (code: RefusalCode): number => STATUSES[code];

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
