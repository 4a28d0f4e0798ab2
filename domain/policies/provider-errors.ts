/**
 * The meaning of a WhatsApp Cloud API error code for its message, as one table. Meta asks integrators to branch on
 * `code` (and `error_data.details`), never on HTTP status, title or subcode:
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes
 */

export type ProviderErrorClass =
  /** The same request may be repeated after the backoff. */
  | 'retry'
  /** Blocked for a time (by a quota or an enforcement period) that a quick retry only makes longer. */
  | 'wait'
  /** The access token or its permissions: the channel can't send anything until an operator acts. */
  | 'token'
  /** The number or the business account is blocked. */
  | 'account'
  /** This message will never reach this recipient. */
  | 'permanent'
  /** The request itself is wrong: a defect of ours, or bad input that validation did not find. */
  | 'fix'
  /** This template (in this language) can't be sent now. */
  | 'template';

/** The object of the refusal, and so the sends that must stop with it. */
export type ProviderErrorScope = 'message' | 'pair' | 'recipient' | 'template' | 'number' | 'account' | 'app';

/** Delay before attempt n+1 (n from 0) is `baseSeconds * factor ** n`, at most `maxSeconds`. */
export interface ProviderBackoff {
  readonly baseSeconds: number;
  readonly factor: number;
  readonly maxSeconds: number;
  /**
   * Number of attempts after which the message is given up even within its time window; null: only the window ends it.
   */
  readonly maxAttempts: number | null;
}

export interface ProviderErrorPolicy {
  readonly class: ProviderErrorClass;
  /** `Operation.error.code` when the operation ends with this error. */
  readonly operationCode: string;
  readonly scope: ProviderErrorScope;
  /** Whether we may send the same message again without any change by somebody else. */
  readonly retryable: boolean;
  /** Not null exactly when `retryable`. */
  readonly backoff: ProviderBackoff | null;
  /** For how long the scope stays blocked, in seconds, when that is known and too long for retries. */
  readonly blockedSeconds: number | null;
}

/** "This message was not delivered to maintain healthy ecosystem engagement": marketing to this person must wait. */
export const PER_USER_MARKETING_LIMIT = 131049;
/** The person stopped marketing from this business. */
export const STOPPED_MARKETING = 131050;
/** Too many people blocked or reported the number. */
export const SPAM_RATE_LIMIT = 131048;
/** More messages per second than the number may send. */
export const THROUGHPUT_REACHED = 130429;
/** More messages to one person than the number may send them. */
export const PAIR_RATE_REACHED = 131056;
export const LONGEST_PAIR_HOLD_SECONDS = 3_600;

const DAY = 86_400;
const HOUR = 3_600;

const again = (
  scope: ProviderErrorScope,
  baseSeconds: number,
  more: Partial<ProviderBackoff> & { class?: 'retry' | 'wait' } = {},
): ProviderErrorPolicy => ({
  class: more.class ?? 'retry',
  operationCode: 'provider_unavailable',
  scope,
  retryable: true,
  backoff: {
    baseSeconds,
    factor: more.factor ?? 2,
    maxSeconds: more.maxSeconds ?? Math.max(300, baseSeconds),
    maxAttempts: more.maxAttempts ?? null,
  },
  blockedSeconds: null,
});

const never = (
  errorClass: ProviderErrorClass,
  scope: ProviderErrorScope,
  operationCode = 'provider_rejected',
  blockedSeconds: number | null = null,
): ProviderErrorPolicy => ({
  class: errorClass,
  operationCode,
  scope,
  retryable: false,
  backoff: null,
  blockedSeconds,
});

const TOKEN = never('token', 'account', 'channel_not_connected');
const FIX = never('fix', 'message');
const UNKNOWN_CODE = never('permanent', 'message');

const BY_CODE: ReadonlyMap<number, ProviderErrorPolicy> = new Map([
  [0, TOKEN],
  [1, again('message', 2, { maxAttempts: 3 })],
  [2, again('message', 2)],
  [3, TOKEN],
  [4, again('app', 60, { class: 'wait', maxSeconds: HOUR })],
  [10, TOKEN],
  [33, never('account', 'number')],
  [100, FIX],
  [190, TOKEN],
  [368, never('account', 'account')],
  [80007, again('account', 60, { class: 'wait', maxSeconds: HOUR })],
  [130403, never('permanent', 'recipient')],
  [THROUGHPUT_REACHED, again('number', 1, { maxSeconds: 60 })],
  // A marketing experiment excludes the recipient: the error is repeated until the person writes.
  [130472, never('permanent', 'recipient')],
  [130497, never('permanent', 'recipient')],
  [131000, again('message', 2, { maxAttempts: 3 })],
  [131005, TOKEN],
  [131008, FIX],
  [131009, FIX],
  [131016, again('message', 2)],
  [131021, never('permanent', 'recipient')],
  [131026, never('permanent', 'recipient', 'recipient_unreachable')],
  [131031, never('account', 'account')],
  [131037, never('account', 'number')],
  [131042, never('account', 'account')],
  [131045, never('account', 'number')],
  [131047, never('permanent', 'recipient', 'service_window_closed')],
  // Spam rate: further sends prolong the block, so marketing stops and is not retried.
  [SPAM_RATE_LIMIT, never('wait', 'number', 'provider_rejected', HOUR)],
  [PER_USER_MARKETING_LIMIT, never('wait', 'recipient', 'recipient_marketing_limit_reached', DAY)],
  [STOPPED_MARKETING, never('permanent', 'recipient', 'recipient_opted_out')],
  [131051, FIX],
  [131052, never('permanent', 'message')],
  [131053, FIX],
  [131055, FIX],
  // Meta: try again after 4^X seconds, X = 0, 1, 2…, for this sender and recipient only.
  [PAIR_RATE_REACHED, again('pair', 1, { factor: 4, maxSeconds: LONGEST_PAIR_HOLD_SECONDS })],
  [131057, again('number', 60)],
  [131060, never('permanent', 'message')],
  // One-tap, zero-tap and copy-code authentication templates can't be sent to a business-scoped user id.
  [131062, never('permanent', 'recipient')],
  [131063, never('account', 'account')],
  [131064, never('wait', 'account', 'provider_rejected', DAY)],
  [132000, FIX],
  [132001, never('template', 'template', 'template_not_approved')],
  [132005, FIX],
  [132007, FIX],
  [132012, FIX],
  [132015, never('template', 'template', 'template_quality_blocked')],
  [132016, never('template', 'template', 'template_sends_disabled')],
  [132018, FIX],
  [132068, never('template', 'template')],
  [132069, never('template', 'template')],
  [133000, never('account', 'number')],
  [133004, again('number', 30)],
  [133005, never('account', 'number')],
  [133006, never('account', 'number')],
  [133008, never('account', 'number')],
  [133009, never('account', 'number')],
  [133010, never('account', 'number')],
  [133015, again('number', 300)],
  [133016, never('account', 'number')],
  [134011, never('account', 'account')],
  [134100, FIX],
  [134101, again('template', 600, { class: 'wait' })],
  [134102, again('template', 2)],
  [135000, FIX],
  [139200, FIX],
  [2494100, again('number', 60)],
]);

/** All codes that the table lists one by one; the ranges (200–299, 2388xxx) are not included. */
export const KNOWN_PROVIDER_CODES: readonly number[] = [...BY_CODE.keys()];

/**
 * Total: an unknown code is a permanent rejection of this one message, the reading that can't send anything twice.
 * `subcode` only refines code 100, where 33 means that the addressed number or account does not exist for the token.
 */
export function classifyProviderError(code: number, subcode?: number | null): ProviderErrorPolicy {
  if (code === 100 && subcode === 33) return never('account', 'number');
  const known = BY_CODE.get(code);
  if (known !== undefined) return known;
  if (code >= 200 && code <= 299) return TOKEN;
  if (code >= 2_388_000 && code <= 2_388_999) return FIX;
  return UNKNOWN_CODE;
}

/**
 * Whether an error response with this code proves that WhatsApp did not accept the message, so that a second call
 * can't send it twice.
 *
 * | code              | HTTP  | proof | why                                                                          |
 * |-------------------|-------|-------|------------------------------------------------------------------------------|
 * | in the table      | any   | yes   | WhatsApp's own wording is a refusal; 131000 reads "message failed to send"    |
 * | 1, 2              | 5xx   | no    | raised by the Graph front end even when the call behind it succeeded:         |
 * |                   |       |       | https://github.com/arsduo/koala/issues/699 (published although code 2)        |
 * | 1, 2              | other | yes   | the front end refused the request before passing it on                        |
 * | not in the table  | 4xx   | yes   | a refusal of the request, for any reason                                      |
 * | not in the table  | other | no    | nothing is known about what happened behind it                                |
 */
export function provesNotAccepted(code: number, httpStatus: number): boolean {
  const frontEnd = code === 1 || code === 2;
  const known = BY_CODE.has(code) || (code >= 200 && code <= 299);
  if (known && !frontEnd) return true;
  return frontEnd ? httpStatus < 500 : httpStatus >= 400 && httpStatus < 500;
}
