/**
 * Keeps all projections in step with the history where they don't run inside the writer's own transaction. One process
 * at a time does this; checkpoints, moved by compare-and-set, keep out one that has not noticed yet that it is no longer
 * the one.
 *
 * All of them go through the history together, batch by batch, so that whoever sees a read model at some position sees
 * every other one at that position too. One that fails is left behind and caught up by itself; the others go on.
 */
import type { Clock } from '../ports/clock.js';
import type { Position, StoredRecord } from '../ports/event-store.js';
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
  failed: boolean;
}

export async function follow(projections: readonly AnyProjection[], deps: FollowDeps): Promise<Following> {
  const { store, readModels, clock, logger } = deps;
  let stopped = false;
  let lose: (error: unknown) => void = () => undefined;
  const ended = new Promise<void>((_resolve, reject) => {
    lose = reject;
  });
  // Whoever started this looks at it in its own time.
  ended.catch(() => undefined);

  const runners: Runner[] = [];
  for (const projection of projections) {
    // Far behind (a new version, a long pause): by itself, so that the others don't wait for it.
    await catchUp(projection, deps);
    const from = await readModels.checkpoint(checkpointName(projection));
    runners.push({ projection, from, committedAt: clock.now(), failed: false });
  }
  const least = (): Position =>
    runners.reduce((lowest, { from }) => (from < lowest ? from : lowest), runners[0]!.from);
  let mark = await readModels.checkpoint(IN_STEP);
  const start = least();
  if (start > mark) await moveMark(start);
  else deps.onProgress(mark);

  async function moveMark(to: Position): Promise<void> {
    await readModels.commit(inStepCheckpoints.name, { projection: IN_STEP, from: mark, to, writes: [] });
    mark = to;
    deps.onProgress(to);
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
        await applyBatch(projection, deps, unseen, from, to);
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
    if (!deps.held()) return lose(new Error('the lease of the projections has ended'));
    const outcomes = await Promise.allSettled(
      runners.filter((runner) => !runner.failed).map((runner) => applyOrLeaveBehind(runner, records, to)),
    );
    const lost = outcomes.find((outcome) => outcome.status === 'rejected');
    if (lost) throw lost.reason;
    if (to > mark) await moveMark(to);
  }

  /** Only what concerns the stores or the lease comes out of here: the batch is then tried again as a whole. */
  async function applyOrLeaveBehind(
    runner: Runner,
    records: readonly StoredRecord[],
    to: Position,
  ): Promise<void> {
    try {
      await apply(runner, records, to);
    } catch (error) {
      if (error instanceof CheckpointMoved || isStoreTrouble(error)) throw error;
      runner.failed = true;
      deps.onError(runner.projection, error);
      logger.error(
        { err: error, projection: checkpointName(runner.projection) },
        'projection can not apply an event; its reads are stale',
      );
    }
  }

  let cancelRetry: (() => void) | undefined;
  let retrying: Promise<void> = Promise.resolve();

  async function retryFailed(): Promise<void> {
    for (const runner of runners) {
      if (!runner.failed || stopped || !deps.held()) continue;
      try {
        // The long way beside the others, the rest in turn with them.
        await catchUp(runner.projection, deps);
        await inTurn(async () => {
          await catchUp(runner.projection, deps);
          runner.from = await readModels.checkpoint(checkpointName(runner.projection));
          runner.failed = false;
        });
        deps.onError(runner.projection, null);
        logger.warn(
          { projection: checkpointName(runner.projection) },
          'projection had fallen behind and is in step again',
        );
      } catch (error) {
        deps.onError(runner.projection, error);
      }
    }
  }

  function nextRetry(): void {
    if (stopped) return;
    cancelRetry = clock.after(RETRY_MS, () => {
      retrying = retryFailed().then(nextRetry, nextRetry);
    });
  }
  nextRetry();

  const subscription = store.subscribe({
    after: start,
    onBatch: async (records, to) => {
      try {
        await inTurn(() => onBatch(records, to));
      } catch (error) {
        if (error instanceof CheckpointMoved) return lose(error);
        throw error;
      }
    },
    onError: (error) => logger.error({ err: error }, 'following the history broke off; it goes on by itself'),
  });

  return {
    ended,
    async stop() {
      stopped = true;
      cancelRetry?.();
      await Promise.all([subscription.stop(), retrying]);
    },
  };
}

const isStoreTrouble = (error: unknown): boolean =>
  error instanceof Error && error.name === 'StoreUnavailable';

/** What runs before anybody follows: every collection exists, so that reads answer "none" instead of failing. */
export const collections = (projections: readonly AnyProjection[]): readonly CollectionSpec[] => [
  ...projections.map(collectionOf),
  inStepCheckpoints,
];
