/**
 * When a webhook delivery is retried. The delays are those that Standard Webhooks 1.0 recommends; jitter is only ever
 * added, so that a receiver can rely on the table.
 */
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds to wait before attempt 1, 2, …: ten attempts over 75.6 hours. */
export const RETRY_SCHEDULE: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

const JITTER_SHARE = 0.1;
const MAX_JITTER = 15 * MINUTE;
/** Minimum delay for a receiver that is overloaded or too slow. */
const OVERLOAD_FLOOR = MINUTE;
/** Longest delay that `Retry-After` may cause, or twice the table's delay where that is longer. */
const MAX_RETRY_AFTER = HOUR;

const TOO_MANY_REQUESTS = 429;
const GONE = 410;

export type DeliveryOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: string | null }
  | { readonly kind: 'failed'; readonly timedOut: boolean };

export type NextStep =
  | { readonly then: 'delivered' }
  | { readonly then: 'retry'; readonly delayMs: number }
  /** The table has no further attempt. */
  | { readonly then: 'exhausted' }
  /** 410: the receiver wants neither this delivery nor any other. */
  | { readonly then: 'gone' };

export interface AttemptFacts {
  readonly outcome: DeliveryOutcome;
  /** Number of the attempt just made, from 1. */
  readonly attempt: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly schedule?: readonly number[];
}

/** Only a 2xx is success. Everything else, redirects included, is retried until the table ends. */
export function nextStep(facts: AttemptFacts): NextStep {
  const { outcome } = facts;
  if (outcome.kind === 'answered') {
    if (outcome.status >= 200 && outcome.status < 300) return { then: 'delivered' };
    if (outcome.status === GONE) return { then: 'gone' };
  }
  const delay = (facts.schedule ?? RETRY_SCHEDULE)[facts.attempt];
  if (delay === undefined) return { then: 'exhausted' };
  const overloaded = outcome.kind === 'failed' ? outcome.timedOut : outcome.status === TOO_MANY_REQUESTS;
  const base = overloaded ? Math.max(delay, OVERLOAD_FLOOR) : delay;
  const asked = outcome.kind === 'answered' ? retryAfterMs(outcome.retryAfter, facts.now) : 0;
  // A receiver may ask for more time, never for less. The limit keeps a wrong header from delaying the delivery for
  // ever.
  const wait = Math.max(base, Math.min(asked, Math.max(MAX_RETRY_AFTER, 2 * base)));
  const jitter = facts.random() * Math.min(wait * JITTER_SHARE, MAX_JITTER);
  return { then: 'retry', delayMs: Math.round(wait + jitter) };
}

/** Seconds or an HTTP date (RFC 9110, section 10.2.3); 0 when absent, unreadable or past. */
export function retryAfterMs(value: string | null, now: number): number {
  if (value === null) return 0;
  const text = value.trim();
  if (/^[0-9]+$/.test(text)) return Number(text) * SECOND;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
