/**
 * Keeps all projections in step with the history where they don't run inside the writer's own transaction. One process
 * at a time does this; checkpoints, moved by compare-and-set, keep out one that has not noticed yet that it is no longer
 * the one.
 *
 * All of them go through the history together, batch by batch, so that whoever sees a read model at some position sees
 * every other one at that position too. One that fails is left behind and caught up by itself; the others go on.
 */
import type { Clock } from '../ports/clock.js';
import {
  START,
  StoreUnavailable,
  type Position,
  type StoredRecord,
  type Subscription,
} from '../ports/event-store.js';
import type { Logger } from '../ports/logger.js';
import { CheckpointMoved, DocumentMoved, type CollectionSpec } from '../ports/read-models.js';
import { checkpointName, collectionOf, type AnyProjection } from './projection.js';
import { applyBatch, catchUp, type ProjectionDeps } from './runner.js';

/** Position up to which every read model shows the history. Holds no documents. */
export const inStepCheckpoints: CollectionSpec = { name: 'projections', version: 1, indexes: {} };
export const IN_STEP = 'projections@1';

export interface FollowDeps extends ProjectionDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** False as soon as another process may have taken over. */
  readonly held: () => boolean;
  /** Everything up to here is in the read models. */
  readonly onProgress: (position: Position) => void;
  /** A projection can't apply an event (its error), or goes on again (null). */
  readonly onError: (projection: AnyProjection, error: unknown) => void;
}

export interface Following {
  /** Rejects when this is no longer the one runner. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** A checkpoint that moves past events of no concern is worth a write once in a while: it saves a re-scan later. */
const IDLE_COMMIT_MS = 2_000;
const RETRY_MS = 2_000;
const RELOADS = 20;

interface Runner {
  readonly projection: AnyProjection;
  /** Its stored checkpoint. */
  from: Position;
  committedAt: number;
  /** Batches pass it by until it has been caught up by itself. */
  behind: boolean;
}

/** Answers at once; what goes wrong while it begins ends it like anything later. */
export function follow(projections: readonly AnyProjection[], deps: FollowDeps): Following {
  const { store, readModels, clock, logger } = deps;
  let stopped = false;
  let lost = false;
  let reject: (error: unknown) => void = () => undefined;
  const ended = new Promise<void>((_resolve, refuse) => {
    reject = refuse;
  });
  // Whoever started this looks at it in its own time.
  ended.catch(() => undefined);
  /** For good: a later batch must not be applied to a runner that this one has not reached. */
  function lose(error: unknown): void {
    lost = true;
    reject(error);
  }
  /** False as soon as nothing more may be applied. */
  function goesOn(): boolean {
    if (!stopped && !lost && !deps.held()) lose(new Error('the lease of the projections has ended'));
    return !stopped && !lost;
  }

  const runners = projections.map((projection): Runner => ({
    projection,
    from: START,
    committedAt: clock.now(),
    behind: true,
  }));
  let mark = START;
  let subscription: Subscription | undefined;

  async function begin(): Promise<void> {
    mark = await readModels.checkpoint(IN_STEP);
    for (const runner of runners) {
      if (!goesOn()) return;
      const name = checkpointName(runner.projection);
      if (mark !== START && (await readModels.checkpoint(name)) === START) {
        // A new version among others that are up to date: they don't wait until it has gone through the history.
        deps.onError(runner.projection, new Error('it is being built from the beginning of the history'));
        logger.info({ projection: name }, 'projection is new: it is built beside the others');
      } else await orLeaveBehind(runner, () => bringIntoStep(runner));
    }
    if (!goesOn()) return;
    const inStep = runners.filter(({ behind }) => !behind).map(({ from }) => from);
    const start = inStep.length === 0 ? mark : inStep.reduce((least, from) => (from < least ? from : least));
    if (start > mark) await moveMark(start);
    else deps.onProgress(mark);
    if (!goesOn()) return;
    subscription = store.subscribe({
      after: start,
      onBatch: (records, to) =>
        inTurn(() => onBatch(records, to)).catch((error: unknown) => {
          if (!(error instanceof CheckpointMoved)) throw error;
          lose(error);
        }),
      onError: (error) =>
        logger.error({ err: error }, 'following the history broke off; it goes on by itself'),
    });
    nextRetry();
  }

  async function moveMark(to: Position): Promise<void> {
    await readModels.commit(inStepCheckpoints.name, { projection: IN_STEP, from: mark, to, writes: [] });
    mark = to;
    deps.onProgress(to);
  }

  /** To the end of the history as it is now. */
  async function bringIntoStep(runner: Runner): Promise<void> {
    await catchUp(runner.projection, deps, goesOn);
    if (!goesOn()) return;
    runner.from = await readModels.checkpoint(checkpointName(runner.projection));
    runner.committedAt = clock.now();
    runner.behind = false;
  }

  // Batches and the return of a runner that was left behind, one at a time: no batch may fall between.
  let turn: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  async function apply(runner: Runner, records: readonly StoredRecord[], to: Position): Promise<void> {
    const { projection, from } = runner;
    const unseen = records.filter((record) => record.position > from);
    const concerned = unseen.some((record) => projection.handles.includes(record.type));
    if (to <= from || (!concerned && clock.now() - runner.committedAt < IDLE_COMMIT_MS)) return;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await applyBatch({ projection, generation: null }, deps, unseen, from, to);
        break;
      } catch (error) {
        // Somebody outside the projection (an erasure) wrote one of its documents: fold again from what is there now.
        if (!(error instanceof DocumentMoved) || attempt >= RELOADS) throw error;
      }
    }
    runner.from = to;
    runner.committedAt = clock.now();
  }

  async function onBatch(records: readonly StoredRecord[], to: Position): Promise<void> {
    if (!goesOn()) return;
    const outcomes = await Promise.allSettled(
      runners
        .filter(({ behind }) => !behind)
        .map((runner) => orLeaveBehind(runner, () => apply(runner, records, to))),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
    if (to > mark) await moveMark(to);
  }

  /** Only what concerns the stores or the lease comes out of here: the work is then tried again as a whole. */
  async function orLeaveBehind(runner: Runner, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof CheckpointMoved || error instanceof StoreUnavailable) throw error;
      runner.behind = true;
      deps.onError(runner.projection, error);
      logger.error(
        { err: error, projection: checkpointName(runner.projection) },
        'projection can not apply an event; its reads are stale',
      );
    }
  }

  let cancelRetry: (() => void) | undefined;
  let retrying: Promise<void> = Promise.resolve();

  async function retry(): Promise<void> {
    for (const runner of runners) {
      if (!runner.behind || !goesOn()) continue;
      const { projection } = runner;
      try {
        // The long way beside the others, the rest in turn with them.
        await catchUp(projection, deps, goesOn);
        await inTurn(async () => {
          await bringIntoStep(runner);
          if (!runner.behind) deps.onError(projection, null);
        });
        if (runner.behind) continue;
        logger.warn(
          { projection: checkpointName(projection) },
          'projection had fallen behind and is in step again',
        );
      } catch (error) {
        deps.onError(projection, error);
      }
    }
  }

  function nextRetry(): void {
    if (stopped) return;
    cancelRetry = clock.after(RETRY_MS, () => {
      retrying = retry().then(nextRetry, nextRetry);
    });
  }

  const begun = begin().catch(lose);
  return {
    ended,
    async stop() {
      stopped = true;
      await begun;
      cancelRetry?.();
      await Promise.all([subscription?.stop(), retrying]);
    },
  };
}

/** What runs before anybody follows: every collection exists, so that reads answer "none" instead of failing. */
export const collections = (projections: readonly AnyProjection[]): readonly CollectionSpec[] => [
  ...projections.map(collectionOf),
  inStepCheckpoints,
];
