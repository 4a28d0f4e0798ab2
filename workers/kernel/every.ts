/** Repeats a round of work; each round begins after the previous one has ended. Failures are logged. */
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import { createThrottledErrorLog } from './throttled-error-log.js';

export interface Rounds {
  /** Resolves when the running round has ended and no other will begin. */
  stop(): Promise<void>;
}

export function every(
  deps: { readonly clock: Clock; readonly logger: Logger },
  ms: number,
  what: string,
  round: (stopping: () => boolean) => Promise<unknown>,
): Rounds {
  const trouble = createThrottledErrorLog(deps, what);
  let stopped = false;
  let cancel: (() => void) | undefined;
  let running: Promise<unknown> = Promise.resolve();

  function next(): void {
    if (stopped) return;
    cancel = deps.clock.after(ms, () => {
      running = round(() => stopped)
        .then(trouble.worked, trouble.failed)
        .then(next);
    });
  }
  next();
  return {
    async stop() {
      stopped = true;
      cancel?.();
      await running;
    },
  };
}
