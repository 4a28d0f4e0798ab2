/**
 * Keeps all projections current where they do not run inside the writer's own transaction. One process at a time does
 * this. Checkpoints move by compare-and-set, which stops a process that has lost the lease without noticing.
 *
 * All projections advance together, batch by batch, so a caller that sees one read model at a position sees every other
 * one at that position too. A projection that fails, or is far behind, catches up separately. The others continue, and
 * none waits for another.
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
import { CheckpointMoved, type CollectionCommit, type CollectionSpec } from '../ports/read-models.js';
import { createApply, type Runner } from './apply.js';
import { createBatchPace } from './batch-pace.js';
import { ProjectionFailed } from './fold.js';
import { keepDocuments, type Share } from './kept-documents.js';
import { addressOf, collectionOf, liveOf, type AnyProjection, type Target } from './projection.js';
import { catchUp, type ProjectionDeps } from './runner.js';
import { waves } from './waves.js';

/** Position up to which all read models are current, except those that have fallen behind. Holds no documents. */
export const inStepCheckpoints: CollectionSpec = { name: 'projections', version: 1, indexes: {} };
export const IN_STEP = 'projections@1';

export interface FollowDeps extends ProjectionDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** False as soon as another process may have taken over. */
  readonly held: () => boolean;
  /** Called when the read models, except those that have fallen behind, contain everything up to this position. */
  readonly onProgress: (position: Position) => void;
  /** Called when a target cannot apply an event (with the error), and when it has recovered (with null). */
  readonly onError: (target: Target, error: unknown) => void;
  /** Called when these read models, whichever copy is read, contain everything up to this position. */
  readonly onShown?: (models: Iterable<string>, position: Position) => void;
  /** Called once, with what lets others use the documents that were written last. */
  readonly share?: Share;
  /** Called after each applied batch with the number of events that concerned the projection. */
  readonly onApplied?: (target: Target, events: number) => void;
}

export interface Following {
  /**
   * Follows exactly these targets from now on. New ones first catch up separately. Resolves when all of them are
   * current. @throws ProjectionFailed when a target cannot apply an event: it stays behind and is retried
   */
  use(targets: readonly Target[]): Promise<void>;
  /** Rejects when this process is no longer the only runner. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const RETRY_MS = 2_000;
/** The shared position passes events that concern no projection within this time: requests elsewhere may wait for it. */
const MARK_WITHIN_MS = 100;
/**
 * Pages that a projection may catch up at the start before the others begin. One that is further behind catches up
 * separately.
 */
const PAGES_AT_START = 4;

/** Returns at once. An error during the start rejects `ended`, like any later error. */
export function follow(targets: readonly Target[], given: FollowDeps): Following {
  const deps: FollowDeps = {
    ...given,
    readModels: keepDocuments(given.readModels, given.clock, given.share),
  };
  const { store, readModels, clock, logger } = deps;
  let stopped = false;
  let lost = false;
  let reject: (error: unknown) => void = () => undefined;
  const ended = new Promise<void>((_resolve, refuse) => {
    reject = refuse;
  });
  // The caller awaits `ended` when it is ready; this handler avoids an unhandled rejection until then.
  ended.catch(() => undefined);
  /** Permanent: after an error, a later batch must not be applied to a runner that missed this one. */
  function lose(error: unknown): void {
    lost = true;
    reject(error);
  }
  /** False as soon as nothing more may be applied. */
  function goesOn(): boolean {
    if (!stopped && !lost && !deps.held()) lose(new Error('the lease of the projections has ended'));
    return !stopped && !lost;
  }

  const runnerOf = (target: Target): Runner => ({
    target,
    from: START,
    passed: START,
    committedAt: clock.monotonic(),
    behind: true,
  });
  let runners: readonly Runner[] = targets.map(runnerOf);
  /** Runners that are catching up separately. */
  const joining = new Map<Runner, Promise<void>>();
  let mark = START;
  /** All read models that are in step show everything up to here; the stored position follows. */
  let passed = START;
  let cancelMark: (() => void) | undefined;
  const apply = createApply(deps, orLeaveBehind);
  const pace = createBatchPace(clock);
  let subscription: Subscription | undefined;

  async function begin(): Promise<void> {
    mark = await readModels.checkpoint(IN_STEP);
    const far: Runner[] = [];
    for (const runner of runners) {
      if (!goesOn()) return;
      const name = addressOf(runner.target);
      if (mark !== START && (await readModels.checkpoint(name)) === START) {
        // A new version beside current projections: the others do not wait while it goes through the whole history.
        deps.onError(runner.target, new Error('it is being built from the beginning of the history'));
        logger.info({ projection: name }, 'projection is new: it is built beside the others');
      } else {
        await orLeaveBehind(runner, async () => {
          if (!(await bringIntoStep(runner, PAGES_AT_START))) far.push(runner);
        });
      }
    }
    if (!goesOn()) return;
    for (const { target } of far) {
      deps.onError(target, new Error('it is far behind the history and is being caught up'));
      logger.info({ projection: addressOf(target) }, 'projection is caught up beside the others');
    }
    const inStep = runners.filter(({ behind }) => !behind).map(({ from }) => from);
    const start = inStep.length === 0 ? mark : inStep.reduce((least, from) => (from < least ? from : least));
    if (start > mark) await moveMark(start);
    else deps.onProgress(mark);
    if (!goesOn()) return;
    subscription = store.subscribe({
      after: start,
      async onBatch(records, to) {
        const begunAt = clock.monotonic();
        try {
          await inTurn(() => onBatch(records, to));
        } catch (error) {
          if (!(error instanceof CheckpointMoved)) throw error;
          lose(error);
        }
        await pace.next(begunAt, records.length);
      },
      onError: (error) => logger.error({ err: error }, 'following the history failed; it is tried again'),
    });
    for (const runner of far) void takeBack(runner);
    nextRetry();
  }

  const markTo = (to: Position): CollectionCommit => ({
    collection: inStepCheckpoints.name,
    projection: IN_STEP,
    from: mark,
    to,
    writes: [],
  });

  function marked(to: Position): void {
    mark = to;
    deps.onProgress(to);
  }

  async function moveMark(to: Position): Promise<void> {
    await readModels.commitAll([markTo(to)]);
    marked(to);
  }

  /** Nothing was written: most such batches are followed by one with which the stored position moves. */
  function markSoon(to: Position): void {
    passed = to;
    deps.onProgress(to);
    cancelMark ??= clock.after(MARK_WITHIN_MS, () => {
      cancelMark = undefined;
      void inTurn(async () => {
        if (passed > mark && goesOn()) await moveMark(passed);
      }).catch((error: unknown) => {
        if (error instanceof CheckpointMoved) lose(error);
        else if (!stopped) markSoon(passed);
      });
    });
  }

  /**
   * Catches up to the current end of the history. False when it is more than `pages` pages away, or when following has
   * to end.
   */
  async function bringIntoStep(runner: Runner, pages = Infinity): Promise<boolean> {
    const { projection, generation } = runner.target;
    let left = pages;
    await catchUp(projection, deps, () => goesOn() && (left -= 1) > 0, generation);
    if (!goesOn() || left <= 0) return false;
    runner.from = await readModels.checkpoint(addressOf(runner.target));
    runner.committedAt = clock.monotonic();
    runner.behind = false;
    return true;
  }

  // Serialises batches and the return of a runner that was left behind: the runner must not miss a batch in between.
  let turn: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  async function onBatch(records: readonly StoredRecord[], to: Position): Promise<void> {
    if (!goesOn()) return;
    const all = waves(runners.filter(({ behind }) => !behind));
    let written = false;
    for (const [index, wave] of all.entries()) {
      const last = index === all.length - 1 && to > mark;
      const applied = await apply(wave, records, to, last ? markTo(to) : null);
      if (applied === 'moved') marked(to);
      if (applied !== 'nothing') written = true;
    }
    if (to > mark) {
      if (written || records.length === 0) await moveMark(to);
      else markSoon(to);
    }
    deps.onShown?.(inStep(), to);
  }

  /** Names of the projections of which no copy is behind. */
  function inStep(): ReadonlySet<string> {
    const names = new Set(runners.map(({ target }) => target.projection.name));
    for (const { target, behind } of runners) if (behind) names.delete(target.projection.name);
    return names;
  }

  /** Rethrows only errors of the stores or the lease; the caller then retries the whole work. */
  async function orLeaveBehind(runner: Runner, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof CheckpointMoved || error instanceof StoreUnavailable) throw error;
      runner.behind = true;
      deps.onError(runner.target, error);
      logger.error(
        { err: error, projection: addressOf(runner.target), ...eventOf(error) },
        'projection can not apply an event; its reads are stale',
      );
    }
  }

  let cancelRetry: (() => void) | undefined;
  let retrying: Promise<void> = Promise.resolve();

  /** Moves the checkpoints of idle runners too: an erasure waits until no older batch can still be written. */
  function comeAfter(): Promise<void> {
    return inTurn(async () => {
      const idle = runners.filter(({ from, passed, behind }) => !behind && passed > from);
      if (idle.length === 0 || !goesOn()) return;
      await readModels.commitAll(
        idle.map(({ target, from, passed: to }): CollectionCommit => {
          const address = addressOf(target);
          return { collection: address, projection: address, from, to, writes: [] };
        }),
      );
      for (const runner of idle) {
        runner.from = runner.passed;
        runner.committedAt = clock.monotonic();
      }
    });
  }

  async function retry(): Promise<void> {
    await comeAfter().catch((error: unknown) => {
      if (error instanceof CheckpointMoved) lose(error);
    });
    if (!goesOn()) return;
    for (const runner of runners) if (runner.behind && !joining.has(runner)) void takeBack(runner);
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
      deps.onError(runner.target, error);
    }
  }

  /** Calls during a catch-up share it. @throws ProjectionFailed */
  function join(runner: Runner): Promise<void> {
    let under = joining.get(runner);
    if (!under) {
      under = comeUp(runner).finally(() => joining.delete(runner));
      joining.set(runner, under);
    }
    return under;
  }

  /** Catches up most of the way separately, then the rest serialised with the batches. */
  async function comeUp(runner: Runner): Promise<void> {
    const { projection, generation } = runner.target;
    // `use` may have removed the runner meanwhile.
    const wanted = (): boolean => goesOn() && runners.includes(runner);
    await deps.skips?.refresh();
    await catchUp(projection, deps, wanted, generation);
    await inTurn(async () => {
      if (wanted() && (await bringIntoStep(runner))) deps.onError(runner.target, null);
    });
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
    async use(wanted) {
      await begun;
      const added = await inTurn(async () => {
        const same = (target: Target) => (runner: Runner) => addressOf(runner.target) === addressOf(target);
        const before = runners;
        runners = wanted.map((target) => before.find(same(target)) ?? runnerOf(target));
        for (const { target } of before) if (!runners.some(same(target))) deps.onError(target, null);
        return runners.filter((runner) => !before.includes(runner));
      });
      if (goesOn()) await Promise.all(added.map(join));
    },
    async stop() {
      stopped = true;
      pace.stop();
      await begun;
      cancelRetry?.();
      await Promise.all([subscription?.stop(), retrying]);
      cancelMark?.();
      // The next follower then skips events that concern no projection. If this fails, it only reads them again.
      if (cancelMark && passed > mark && !lost && deps.held()) await moveMark(passed).catch(() => undefined);
      await Promise.allSettled(joining.values());
    },
  };
}

const eventOf = (error: unknown): object =>
  error instanceof ProjectionFailed ? { event: error.record.eventId, position: error.position } : {};

/** Collections to define before following begins, so that reads return an empty result instead of failing. */
export const collections = (projections: readonly AnyProjection[]): readonly CollectionSpec[] => [
  ...projections.map(liveOf).map(collectionOf),
  inStepCheckpoints,
];
