/**
 * What a log hears of work that goes round and round while a store is away: that it fails, at most once a minute, also
 * where some rounds succeed, and that it works again. The outage itself is told elsewhere, so only other failures are
 * errors.
 */
import type { Clock } from '../../ports/clock.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { Logger } from '../../ports/logger.js';

export interface Trouble {
  readonly failed: (error: unknown) => void;
  readonly worked: () => void;
}

const REMIND_EVERY_MS = 60_000;

/** @param what begins the sentence: `reconciling sends` */
export function createTrouble(
  deps: { readonly clock: Pick<Clock, 'monotonic'>; readonly logger: Pick<Logger, 'warn' | 'error'> },
  what: string,
  fields: Readonly<Record<string, unknown>> = {},
): Trouble {
  const { clock, logger } = deps;
  let times = 0;
  let told = false;
  let toldAt = -Infinity;

  return {
    failed(error) {
      times += 1;
      if (clock.monotonic() - toldAt < REMIND_EVERY_MS) return;
      toldAt = clock.monotonic();
      told = true;
      const level = error instanceof StoreUnavailable ? 'warn' : 'error';
      logger[level]({ ...fields, err: error, times }, `${what} failed; it is tried again`);
    },
    worked() {
      if (told) logger.warn({ ...fields, times }, `${what} works again`);
      told = false;
      times = 0;
    },
  };
}
