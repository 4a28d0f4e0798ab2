/**
 * Keeps projections in step. One that failed inside a write has fallen behind; it is caught up from the history, and
 * as long as that fails it is reported, never skipped.
 */
import type { App } from '../application/app.js';
import { checkpointName, type AnyProjection } from '../projections/projection.js';
import { catchUp } from '../projections/runner.js';

const EVERY_MS = 2_000;

/** Whoever keeps the projections in step in this process. */
export interface ProjectionKeeper {
  /** Last error by projection name; empty when all is well. */
  errors(): ReadonlyMap<string, string>;
  stop(): Promise<void>;
}

export function startProjectionGuard(
  app: Pick<App, 'store' | 'readModels' | 'codec' | 'clock' | 'logger'>,
  projections: readonly AnyProjection[],
  behind: () => readonly string[],
): ProjectionKeeper {
  const errors = new Map<string, string>();
  let stopped = false;
  let cancel: (() => void) | undefined;
  let running: Promise<void> = Promise.resolve();

  async function round(): Promise<void> {
    const late = new Set(behind());
    for (const projection of projections) {
      const name = checkpointName(projection);
      if (!late.has(name)) {
        errors.delete(projection.name);
        continue;
      }
      try {
        await catchUp(projection, app);
        errors.delete(projection.name);
        app.logger.warn({ projection: name }, 'projection had fallen behind and is in step again');
      } catch (error) {
        errors.set(projection.name, error instanceof Error ? error.message : String(error));
        app.logger.error(
          { err: error, projection: name },
          'projection can not apply an event; its reads are stale',
        );
      }
    }
  }

  function next(): void {
    if (stopped) return;
    cancel = app.clock.after(EVERY_MS, () => {
      running = round().then(next, next);
    });
  }
  next();
  return {
    errors: () => errors,
    async stop() {
      stopped = true;
      cancel?.();
      await running;
    },
  };
}
