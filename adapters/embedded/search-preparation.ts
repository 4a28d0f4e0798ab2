/**
 * Prepares searches in the background, one after the other. It indexes collections that are older than their index, or
 * whose index has an older format. Everything else continues meanwhile; a search that is not ready reports that.
 */
import type { Clock } from '../../ports/clock.js';
import { createBell, yieldToEventLoop } from '../../ports/waiting.js';
import type { Logger } from '../../ports/logger.js';
import type { Collections } from './collections.js';
import type { Writer } from './writer.js';

export interface SearchPreparation {
  /** Signals that there may be something to do. */
  wake(): void;
  /** Resolves when no piece is in progress any more; the remaining work resumes at the next start. */
  stop(): Promise<void>;
}

/** Pause after a failure: a full disk is the likely reason. */
const PAUSE_MS = 5_000;
const IDLE_MS = 3_600_000;
/** Weight of one piece for the writer: it takes about as long as writing a hundred rows. */
const WEIGHT = 100;

export function prepareSearches(deps: {
  readonly collections: Pick<Collections, 'unsearchable'>;
  /** The background writer: requests have priority. */
  readonly writer: Writer;
  readonly clock: Clock;
  readonly logger: Logger;
}): SearchPreparation {
  const { collections, writer, clock, logger } = deps;
  const bell = createBell(clock);
  let stopped = false;

  async function run(): Promise<void> {
    while (!stopped) {
      try {
        await prepareAll();
        if (!stopped) await bell.wait(IDLE_MS);
      } catch (error) {
        if (stopped) return;
        logger.warn({ err: error }, 'a search could not be prepared further; it will be tried again');
        await bell.wait(PAUSE_MS);
      }
    }
  }

  async function prepareAll(): Promise<void> {
    let begun: string | undefined;
    for (;;) {
      const next = collections.unsearchable()[0];
      if (next?.spec.name !== begun) {
        if (begun !== undefined) logger.info({ collection: begun }, 'the search is ready');
        begun = next?.spec.name;
        if (next)
          logger.info({ collection: begun }, 'the search is being prepared; until then it answers 503');
      }
      if (!next || stopped) return;
      await writer.submit(() => next.fillSearch(), WEIGHT);
      await yieldToEventLoop();
    }
  }

  const running = run();
  return {
    wake: () => bell.ring(),
    stop() {
      stopped = true;
      bell.ring();
      return running;
    },
  };
}
