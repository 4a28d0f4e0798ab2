/**
 * Projections that can't go along with the others: each catches up separately, and comes back between two batches. The
 * others continue, and none waits for another.
 */
import type { Clock } from '../ports/clock.js';
import { START, StoreUnavailable, type Position } from '../ports/event-store.js';
import type { Logger } from '../ports/logger.js';
import { CheckpointMoved } from '../ports/read-models.js';
import type { InTurn } from '../ports/waiting.js';
import type { Runner } from './apply.js';
import { ProjectionFailed } from './fold.js';
import { addressOf, type Target } from './projection.js';
import { catchUp, type ProjectionDeps } from './runner.js';
import type { Tenure } from '../application/tenure.js';

/**
 * Pages that a projection may catch up at the start before the others begin. One that is further behind catches up
 * separately.
 */
const PAGES_AT_START = 4;

export interface LeftBehindDeps extends ProjectionDeps {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
  /** Called when a target cannot apply an event (with the error), and when it has recovered (with null). */
  readonly onError: (target: Target, error: unknown) => void;
}

export interface LeftBehind {
  /** Rethrows only errors of the stores or the lease; the caller then retries the whole work. */
  orLeaveBehind(runner: Runner, work: () => Promise<void>): Promise<void>;
  /**
   * Catches up, one after another, the runners that are near the end of the history. @returns those that are further
   * away, for which the others need not wait. New ones are behind too.
   * @param shown what the projections in step have shown before
   */
  startTogether(runners: readonly Runner[], shown: Position): Promise<readonly Runner[]>;
  /** Calls during a catch-up share it. @throws ProjectionFailed */
  join(runner: Runner): Promise<void>;
  /** As `join`, for nobody who waits: reports what comes of it. */
  takeBack(runner: Runner): Promise<void>;
  /** Takes back those that are behind and not on their way. */
  retry(runners: readonly Runner[]): void;
  /** Resolves when nothing is catching up. */
  settled(): Promise<void>;
}

/**
 * @param inTurn the turns of the batches: a runner that returns must not miss one in between
 * @param follows whether the runner is still wanted
 */
export function createLeftBehind(
  deps: LeftBehindDeps,
  tenure: Tenure,
  inTurn: InTurn,
  follows: (runner: Runner) => boolean,
): LeftBehind {
  const { readModels, clock, logger, onError } = deps;
  /** Runners that are catching up separately. */
  const joining = new Map<Runner, Promise<void>>();

  /**
   * Catches up to the current end of the history. False when it is more than `pages` pages away, or when following has
   * to end.
   */
  async function bringIntoStep(runner: Runner, pages = Infinity): Promise<boolean> {
    const { projection, generation } = runner.target;
    let left = pages;
    await catchUp(projection, deps, () => tenure.goesOn() && (left -= 1) > 0, generation);
    if (!tenure.goesOn() || left <= 0) return false;
    runner.from = await readModels.checkpoint(addressOf(runner.target));
    runner.committedAt = clock.monotonic();
    runner.behind = false;
    return true;
  }

  /** Catches up most of the way separately, then the rest serialised with the batches. */
  async function comeUp(runner: Runner): Promise<void> {
    const { projection, generation } = runner.target;
    const wanted = (): boolean => tenure.goesOn() && follows(runner);
    await deps.skips?.refresh();
    await catchUp(projection, deps, wanted, generation);
    await inTurn(async () => {
      if (wanted() && (await bringIntoStep(runner))) onError(runner.target, null);
    });
  }

  function join(runner: Runner): Promise<void> {
    let under = joining.get(runner);
    if (!under) {
      under = comeUp(runner).finally(() => joining.delete(runner));
      joining.set(runner, under);
    }
    return under;
  }

  async function takeBack(runner: Runner): Promise<void> {
    try {
      await join(runner);
      if (runner.behind) return;
      logger.warn(
        { projection: addressOf(runner.target) },
        'projection had fallen behind and is in step again',
      );
    } catch (error) {
      onError(runner.target, error);
    }
  }

  async function orLeaveBehind(runner: Runner, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof CheckpointMoved || error instanceof StoreUnavailable) throw error;
      runner.behind = true;
      onError(runner.target, error);
      logger.error(
        { err: error, projection: addressOf(runner.target), ...eventOf(error) },
        'projection can not apply an event; its reads are stale',
      );
    }
  }

  return {
    orLeaveBehind,
    async startTogether(runners, shown) {
      const far: Runner[] = [];
      for (const runner of runners) {
        if (!tenure.goesOn()) break;
        const name = addressOf(runner.target);
        if (shown !== START && (await readModels.checkpoint(name)) === START) {
          // A new version beside current projections: the others do not wait while it goes through the whole history.
          onError(runner.target, new Error('it is being built from the beginning of the history'));
          logger.info({ projection: name }, 'projection is new: it is built beside the others');
        } else {
          await orLeaveBehind(runner, async () => {
            if (!(await bringIntoStep(runner, PAGES_AT_START))) far.push(runner);
          });
        }
      }
      return far;
    },
    join,
    takeBack,
    retry(runners) {
      for (const runner of runners) if (runner.behind && !joining.has(runner)) void takeBack(runner);
    },
    async settled() {
      await Promise.allSettled(joining.values());
    },
  };
}

const eventOf = (error: unknown): object =>
  error instanceof ProjectionFailed ? { event: error.record.eventId, position: error.position } : {};
