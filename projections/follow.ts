/**
 * Keeps all projections current where they do not run inside the writer's own transaction. One process at a time does
 * this. Checkpoints move by compare-and-set, which stops a process that has lost the lease without noticing.
 *
 * All projections advance together, batch by batch, so a caller that sees one read model at a position sees every other
 * one at that position too. A projection that fails, or is far behind, catches up separately. The others continue, and
 * none waits for another.
 */
import type { Clock } from '../ports/clock.js';
import { START, type Position, type StoredRecord, type Subscription } from '../ports/event-store.js';
import type { Logger } from '../ports/logger.js';
import { CheckpointMoved, type CollectionCommit, type CollectionSpec } from '../ports/read-models.js';
import { createTurns } from '../ports/waiting.js';
import { createApply, type Runner } from './apply.js';
import { createBatchPace } from './batch-pace.js';
import { createInStepMark, inStepCheckpoints } from './in-step.js';
import { keepDocuments, type Share } from './kept-documents.js';
import { createLeftBehind } from './left-behind.js';
import { addressOf, collectionOf, liveOf, type AnyProjection, type Target } from './projection.js';
import type { ProjectionDeps } from './runner.js';
import { createTenure } from '../application/tenure.js';
import { waves } from './waves.js';

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
/** Returns at once. An error during the start rejects `ended`, like any later error. */
export function follow(targets: readonly Target[], given: FollowDeps): Following {
  const deps: FollowDeps = {
    ...given,
    readModels: keepDocuments(given.readModels, given.clock, given.share),
  };
  const { store, clock, logger } = deps;
  const tenure = createTenure('the projections', deps.held);
  /** The turns of the batches, and of whatever must not fall into one. */
  const inTurn = createTurns();
  const mark = createInStepMark(deps, tenure, inTurn);
  let runners: readonly Runner[] = targets.map((target) => newRunner(target, clock));
  // `use` may have removed the runner meanwhile.
  const leftBehind = createLeftBehind(deps, tenure, inTurn, (runner) => runners.includes(runner));
  const apply = createApply(deps, (runner, work) => leftBehind.orLeaveBehind(runner, work));
  const pace = createBatchPace(clock);
  let subscription: Subscription | undefined;

  async function begin(): Promise<void> {
    const far = await leftBehind.startTogether(runners, await mark.read());
    if (!tenure.goesOn()) return;
    for (const { target } of far) {
      deps.onError(target, new Error('it is far behind the history and is being caught up'));
      logger.info({ projection: addressOf(target) }, 'projection is caught up beside the others');
    }
    const start = leastOf(runners) ?? mark.at();
    if (start > mark.at()) await mark.move(start);
    else mark.moved(mark.at());
    if (!tenure.goesOn()) return;
    subscription = subscribe(start);
    for (const runner of far) void leftBehind.takeBack(runner);
    nextRetry();
  }

  const subscribe = (after: Position): Subscription =>
    store.subscribe({
      after,
      async onBatch(records, to) {
        const begunAt = clock.monotonic();
        try {
          await inTurn(() => onBatch(records, to));
        } catch (error) {
          if (!(error instanceof CheckpointMoved)) throw error;
          tenure.lose(error);
        }
        await pace.next(begunAt, records.length);
      },
      onError: (error) => logger.error({ err: error }, 'following the history failed; it is tried again'),
    });

  async function onBatch(records: readonly StoredRecord[], to: Position): Promise<void> {
    if (!tenure.goesOn()) return;
    const all = waves(runners.filter(({ behind }) => !behind));
    let written = false;
    for (const [index, wave] of all.entries()) {
      const last = index === all.length - 1 && to > mark.at();
      const applied = await apply(wave, records, to, last ? mark.commitTo(to) : null);
      if (applied === 'moved') mark.moved(to);
      if (applied !== 'nothing') written = true;
    }
    if (to > mark.at()) {
      if (written || records.length === 0) await mark.move(to);
      else mark.moveSoon(to);
    }
    deps.onShown?.(inStep(runners), to);
  }

  let cancelRetry: (() => void) | undefined;
  let retrying: Promise<void> = Promise.resolve();

  async function retry(): Promise<void> {
    await inTurn(async () => {
      if (tenure.goesOn()) await passIdle(runners, deps);
    }).catch((error: unknown) => {
      if (error instanceof CheckpointMoved) tenure.lose(error);
    });
    if (tenure.goesOn()) leftBehind.retry(runners);
  }

  function nextRetry(): void {
    if (tenure.stopped()) return;
    cancelRetry = clock.after(RETRY_MS, () => {
      retrying = retry().then(nextRetry, nextRetry);
    });
  }

  const begun = begin().catch((error: unknown) => tenure.lose(error));
  return {
    ended: tenure.ended,
    async use(wanted) {
      await begun;
      const added = await inTurn(async () => {
        const same = (target: Target) => (runner: Runner) => addressOf(runner.target) === addressOf(target);
        const before = runners;
        runners = wanted.map((target) => before.find(same(target)) ?? newRunner(target, clock));
        for (const { target } of before) if (!runners.some(same(target))) deps.onError(target, null);
        return runners.filter((runner) => !before.includes(runner));
      });
      if (tenure.goesOn()) await Promise.all(added.map((runner) => leftBehind.join(runner)));
    },
    async stop() {
      tenure.stop();
      pace.stop();
      await begun;
      cancelRetry?.();
      await Promise.all([subscription?.stop(), retrying]);
      await mark.stop();
      await leftBehind.settled();
    },
  };
}

const newRunner = (target: Target, clock: Pick<Clock, 'monotonic'>): Runner => ({
  target,
  from: START,
  passed: START,
  committedAt: clock.monotonic(),
  behind: true,
});

/** Where the least of the runners in step stands; undefined when there are none. */
function leastOf(runners: readonly Runner[]): Position | undefined {
  let least: Position | undefined;
  for (const { from, behind } of runners) {
    if (!behind && (least === undefined || from < least)) least = from;
  }
  return least;
}

/** Names of the projections of which no copy is behind. */
function inStep(runners: readonly Runner[]): ReadonlySet<string> {
  const names = new Set(runners.map(({ target }) => target.projection.name));
  for (const { target, behind } of runners) if (behind) names.delete(target.projection.name);
  return names;
}

/** Moves the checkpoints of idle runners too: an erasure waits until no older batch can still be written. */
async function passIdle(
  runners: readonly Runner[],
  { readModels, clock }: Pick<FollowDeps, 'readModels' | 'clock'>,
): Promise<void> {
  const idle = runners.filter(({ from, passed, behind }) => !behind && passed > from);
  if (idle.length === 0) return;
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
}

/** Collections to define before following begins, so that reads return an empty result instead of failing. */
export const collections = (projections: readonly AnyProjection[]): readonly CollectionSpec[] => [
  ...projections.map(liveOf).map(collectionOf),
  inStepCheckpoints,
];
