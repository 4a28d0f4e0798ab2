/** Runs the jobs that operators request for projections, in the process that runs the projections. */
import type { App } from '../../application/app.js';
import { eraseAgain } from '../../application/provisioning/erase-contact.js';
import { STALE_GENERATION_MS } from '../../ports/read-models.js';
import { yieldToEventLoop } from '../../ports/waiting.js';
import { addressOf, type AnyProjection, type Target } from '../projection.js';
import type { Skips } from '../skips.js';
import { createRebuilder } from './rebuilder.js';

/** Operators ask for a job a few times a year, and it takes minutes: the look for one need not be quick. */
const POLL_EVERY_MS = 1_000;
/** Time in which another process may still use the generation that it believes live, and then finish its reads. */
export const LETTING_GO_MS = 3 * STALE_GENERATION_MS;

export function startRebuildWorker(
  app: Pick<App, 'clock' | 'codec' | 'logger' | 'readModels' | 'replay' | 'store'>,
  projections: readonly AnyProjection[],
  options: {
    readonly skips: Skips;
    readonly held: () => boolean;
    readonly follow: (targets: readonly Target[]) => Promise<void>;
    readonly lettingGoMs: number;
  },
): { stop(): Promise<void> } {
  const { clock, logger } = app;
  let stopped = false;
  let cancel: () => void = () => undefined;
  let working: Promise<void> = Promise.resolve();
  const rebuilder = createRebuilder(projections, {
    ...app,
    skips: options.skips,
    pause: yieldToEventLoop,
    goesOn: () => !stopped && options.held(),
    follow: options.follow,
    eraseAgain: (since, built) => {
      const addresses = new Map(built.map((target) => [target.projection.name, addressOf(target)]));
      return eraseAgain(
        app,
        since,
        <Name extends string>(name: Name) => (addresses.get(name) ?? name) as Name,
      );
    },
    lettingGoMs: options.lettingGoMs,
  });

  async function poll(): Promise<void> {
    try {
      await rebuilder.run();
    } catch (error) {
      if (!stopped) logger.warn({ err: error }, 'a rebuild job failed; it is tried again');
    }
  }

  function next(): void {
    if (stopped) return;
    cancel = clock.after(POLL_EVERY_MS, () => {
      working = poll();
      void working.then(next);
    });
  }
  next();
  return {
    async stop() {
      stopped = true;
      cancel();
      await working;
    },
  };
}
