/**
 * Meta's two send limits as generic cell rates: one theoretical arrival time per key and no timer.
 * One message per 6 s to one person with a burst of 45 (131056); 80 or 1,000 per second per number (130429).
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/about-the-platform
 */
export interface Limiter {
  /** Takes one send from the limit; false when the limit is reached. `now` in milliseconds. */
  take(key: string, now: number): boolean;
}

const MAX_KEYS = 50_000;

export function createLimiter(intervalMs: (key: string) => number, burst: (key: string) => number): Limiter {
  const arrivals = new Map<string, number>();
  return {
    take(key, now) {
      const interval = intervalMs(key);
      const arrival = Math.max(now, arrivals.get(key) ?? 0);
      // Half a millisecond of tolerance for rounding, since intervals such as 12.5 ms don't add up exactly.
      if (arrival - now > interval * (burst(key) - 1) + 0.5) return false;
      if (arrivals.size >= MAX_KEYS && !arrivals.has(key)) {
        for (const [idle, at] of arrivals) if (at <= now) arrivals.delete(idle);
      }
      arrivals.set(key, arrival + interval);
      return true;
    },
  };
}

export const createPairLimiter = (): Limiter =>
  createLimiter(
    () => 6_000,
    () => 45,
  );
