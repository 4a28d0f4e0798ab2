/**
 * Quotas by the generic cell rate algorithm: one number per key, without window edges at which twice the quota could
 * pass. Kept per process.
 */

export interface RateAllowance {
  readonly allowed: boolean;
  /** Requests that would pass right now. */
  readonly remaining: number;
  /** Seconds until the full quota is available again. */
  readonly resetSeconds: number;
  /** Seconds until one request would pass; 0 when allowed. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Counts a request of `key` at `now` (milliseconds) if it is allowed. */
  take(key: string, now: number): RateAllowance;
}

/** Above this number, keys with a full quota are dropped. */
const MAX_KEYS = 10_000;

/** @param limit requests per window; Infinity allows everything */
export function createRateLimiter(limit: number, windowMs = 60_000): RateLimiter {
  const interval = windowMs / limit;
  /** Theoretical arrival time by key: how far ahead of an even rate the caller is. */
  const arrivals = new Map<string, number>();

  function prune(now: number): void {
    for (const [key, arrival] of arrivals) if (arrival <= now) arrivals.delete(key);
  }

  return {
    take(key, now) {
      const arrival = Math.max(arrivals.get(key) ?? 0, now);
      const next = arrival + interval;
      const allowed = next - now <= windowMs;
      if (allowed) {
        if (arrivals.size >= MAX_KEYS) prune(now);
        arrivals.set(key, next);
      }
      const debt = (allowed ? next : arrival) - now;
      return {
        allowed,
        // A small tolerance for rounding errors, or 600 × 0.1 s would leave 599.
        remaining: Math.floor((windowMs - debt) / interval + 1e-6),
        resetSeconds: Math.ceil(debt / 1000),
        retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((next - windowMs - now) / 1000)),
      };
    },
  };
}
