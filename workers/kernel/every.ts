/** A round of work again and again, each after the one before has ended. A round that fails is logged. */
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';

export interface Rounds {
  /** Resolves when the round under way has ended and no other will begin. */
  stop(): Promise<void>;
}

export function every(
  deps: { readonly clock: Clock; readonly logger: Logger },
  ms: number,
  what: string,
  round: (stopping: () => boolean) => Promise<unknown>,
): Rounds {
  let stopped = false;
  let cancel: (() => void) | undefined;
  let running: Promise<unknown> = Promise.resolve();

  function next(): void {
    if (stopped) return;
    cancel = deps.clock.after(ms, () => {
      running = round(() => stopped)
        .catch((error: unknown) => deps.logger.error({ err: error }, `${what} failed; it is tried again`))
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
