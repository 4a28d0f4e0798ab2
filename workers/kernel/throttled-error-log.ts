/**
 * Rate-limited log of repeating work that fails while a store is unavailable. It logs a failure at most once a minute,
 * even if some rounds succeed, and then the recovery. The outage itself is logged elsewhere, so only other failures are
 * logged as errors.
 */
import type { Clock } from '../../ports/clock.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { Logger } from '../../ports/logger.js';

export interface ThrottledErrorLog {
  readonly failed: (error: unknown) => void;
  readonly worked: () => void;
}

const REMIND_EVERY_MS = 60_000;

/** @param what begins the sentence: `reconciling sends` */
export function createThrottledErrorLog(
  deps: { readonly clock: Pick<Clock, 'monotonic'>; readonly logger: Pick<Logger, 'warn' | 'error'> },
  what: string,
  fields: Readonly<Record<string, unknown>> = {},
): ThrottledErrorLog {
  const { clock, logger } = deps;
  let times = 0;
  let logged = false;
  let loggedAt = -Infinity;

  return {
    failed(error) {
      times += 1;
      if (clock.monotonic() - loggedAt < REMIND_EVERY_MS) return;
      loggedAt = clock.monotonic();
      logged = true;
      const level = error instanceof StoreUnavailable ? 'warn' : 'error';
      logger[level]({ ...fields, err: error, times }, `${what} failed; it is tried again`);
    },
    worked() {
      if (logged) logger.warn({ ...fields, times }, `${what} works again`);
      logged = false;
      times = 0;
    },
  };
}
