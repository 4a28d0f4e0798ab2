/**
 * Watches whether the time of day can be trusted: the clock was set while the process ran, or stored dates are ahead of
 * it.
 */
import { watchSteps } from '../adapters/clock/steps.js';
import type { Clock } from '../ports/clock.js';
import type { Logger } from '../ports/logger.js';

export interface ClockState {
  /** How far the latest date that may be stored is ahead of the clock, in milliseconds; 0 when it is not. */
  readonly aheadMs: number;
  /** The last time that the clock was set while this process ran; null when it was not set. */
  readonly set: { readonly byMs: number; readonly at: string } | null;
}

export interface ClockWatch {
  state(): ClockState;
  stop(): void;
}

const EVERY_MS = 5_000;
/** Smaller changes are not worth an operator's time. */
const TOLERATED_MS = 5_000;

/** @param latestStored latest stored date before this start, epoch milliseconds; 0 where it is not known */
export function watchClock(
  deps: { readonly clock: Clock; readonly logger: Logger },
  latestStored: number,
): ClockWatch {
  const { clock, logger } = deps;
  let set: ClockState['set'] = null;
  let latest = latestStored;
  const steps = watchSteps(clock, (byMs) => {
    const now = clock.now();
    if (byMs < 0) latest = Math.max(latest, now - byMs);
    set = { byMs, at: new Date(now).toISOString() };
    logger.warn({ by_ms: byMs }, 'the clock of this process was set');
  });
  let cancel: () => void;
  function poll(): void {
    cancel = clock.after(EVERY_MS, () => {
      steps.look();
      poll();
    });
  }
  poll();

  return {
    state() {
      steps.look();
      const aheadMs = latest - clock.now();
      return { aheadMs: aheadMs > TOLERATED_MS ? aheadMs : 0, set };
    },
    stop: () => cancel(),
  };
}
