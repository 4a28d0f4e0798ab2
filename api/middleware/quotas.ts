/** Quotas per API key, reported in the fields of draft-ietf-httpapi-ratelimit-headers-10. */
import { createRateLimiter } from '../../application/rate-limit.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { RateLimitClass } from '../contract.js';
import type { Progress } from './call.js';

/** Requests per minute and key; Infinity switches a quota off. */
export type Limits = Readonly<Record<RateLimitClass, number>>;

export const DEFAULT_LIMITS: Limits = { reads: 600, sends: 300 };
const WINDOW_SECONDS = 60;

/** Counts the request and puts the header fields on `progress`. @throws Refusal rate_limited */
export type SpendQuota = (progress: Progress, quota: RateLimitClass, key: string) => void;

export function createQuotas(limits: Limits, now: () => number): SpendQuota {
  const limiters = {
    reads: createRateLimiter(limits.reads, WINDOW_SECONDS * 1000),
    sends: createRateLimiter(limits.sends, WINDOW_SECONDS * 1000),
  };
  const policies = {
    reads: `"reads";q=${limits.reads};w=${WINDOW_SECONDS}`,
    sends: `"sends";q=${limits.sends};w=${WINDOW_SECONDS}`,
  };
  return (progress, quota, key) => {
    if (limits[quota] === Infinity) return;
    const taken = limiters[quota].take(key, now());
    progress.quota = {
      RateLimit: `"${quota}";r=${taken.remaining};t=${taken.resetSeconds}`,
      'RateLimit-Policy': policies[quota],
    };
    if (taken.allowed) return;
    throw new Refusal(
      'rate_limited',
      `Too many requests with this key: ${limits[quota]} ${quota} per minute are allowed. Wait for the seconds in Retry-After.`,
      {
        quota,
        limit: limits[quota],
        window_seconds: WINDOW_SECONDS,
        retry_after_seconds: taken.retryAfterSeconds,
      },
    );
  };
}
