/**
 * Applies one batch of the history to many projections with few writes: first the documents of all projections, then
 * all their checkpoints and the shared checkpoint together. If that fails, each projection is applied on its own, so
 * that a failing projection delays only itself.
 */
import type { RecordedEvent } from '../application/codec.js';
import type { Clock } from '../ports/clock.js';
import { StoreUnavailable, type Position, type StoredRecord } from '../ports/event-store.js';
import { CheckpointMoved, DocumentMoved, type CollectionCommit } from '../ports/read-models.js';
import { settled } from '../ports/waiting.js';
import type { Target } from './projection.js';
import { applyBatch, concerning, foldedBatch, type ProjectionDeps } from './runner.js';

export interface Runner {
  readonly target: Target;
  /** Its stored checkpoint. */
  from: Position;
  committedAt: number;
  /** Position up to which batches held no event for this projection. Its stored checkpoint follows some time later. */
  passed: Position;
  /** True while the projection catches up separately; it then receives no batches. */
  behind: boolean;
}

export interface ApplyDeps extends ProjectionDeps {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Called after each applied batch with the number of events that concerned the projection. */
  readonly onApplied?: (target: Target, events: number) => void;
}

/** A checkpoint that only passes events of other projections is written once per interval, to save a re-scan later. */
const IDLE_COMMIT_MS = 2_000;
const RELOADS = 20;

/** A guess: the document of a stream does not exist before the stream's first event. */
const mayExist = (id: string, events: readonly RecordedEvent[]): boolean =>
  !events.some(({ record }) => record.revision === 0 && record.stream.endsWith(`-${id}`));

interface Share {
  readonly runner: Runner;
  /** The records of the batch that the projection has not applied yet. */
  readonly unseen: readonly StoredRecord[];
  readonly concerned: number;
}

/** `moved`: with the shared checkpoint; `nothing`: no projection had anything to write, and the checkpoint stays. */
export type Applied = 'moved' | 'written' | 'nothing';

export type Apply = (
  runners: readonly Runner[],
  records: readonly StoredRecord[],
  to: Position,
  mark: CollectionCommit | null,
) => Promise<Applied>;

/**
 * @param orLeaveBehind runs work for one runner. On failure the runner is left behind; errors of the stores are
 * rethrown
 * @returns a function that applies a batch to runners that are up to date
 * @throws CheckpointMoved, StoreUnavailable, both from the returned function
 */
export function createApply(
  deps: ApplyDeps,
  orLeaveBehind: (runner: Runner, work: () => Promise<void>) => Promise<void>,
): Apply {
  const { readModels, clock } = deps;

  /** Null when there is nothing to apply and the checkpoint is not worth a write yet. */
  function shareOf(runner: Runner, records: readonly StoredRecord[], to: Position): Share | null {
    const { target, from } = runner;
    if (to <= from) return null;
    const unseen = records.filter((record) => record.position > from);
    const concerned = concerning(target.projection, unseen).length;
    if (concerned === 0 && clock.monotonic() - runner.committedAt < IDLE_COMMIT_MS) {
      runner.passed = to;
      return null;
    }
    return { runner, unseen, concerned };
  }

  function applied({ runner, concerned }: Share, to: Position): void {
    runner.from = to;
    runner.committedAt = clock.monotonic();
    deps.onApplied?.(runner.target, concerned);
  }

  async function byItself(share: Share, to: Position): Promise<void> {
    const { target, from } = share.runner;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await applyBatch(target, deps, share.unseen, from, to);
        break;
      } catch (error) {
        // Code outside the projection (an erasure) wrote one of its documents: fold again from the stored state.
        if (!(error instanceof DocumentMoved) || attempt >= RELOADS) throw error;
      }
    }
    applied(share, to);
  }

  /**
   * A runner that another process has replaced must stop instead of retrying the failed write. @throws CheckpointMoved
   */
  async function expectUnmoved(changes: readonly CollectionCommit[]): Promise<void> {
    for (const { projection, from } of changes) {
      const at = await readModels.checkpoint(projection);
      if (at !== from) throw new CheckpointMoved(`projection ${projection} is at "${at}", not at "${from}"`);
    }
  }

  return async (runners, records, to, mark) => {
    const shares = runners.flatMap((runner) => shareOf(runner, records, to) ?? []);
    const folded: { readonly share: Share; readonly change: CollectionCommit }[] = [];
    await settled(
      shares.map((share) =>
        orLeaveBehind(share.runner, async () => {
          const { target, from } = share.runner;
          const expected = target.projection.alwaysNew ? () => false : mayExist;
          const change = await foldedBatch(target, deps, share.unseen, from, to, expected);
          folded.push({ share, change });
        }),
      ),
    );
    const changes = folded.map(({ change }) => change);
    // A runner that was left behind just now had something to write.
    if (changes.length === 0) return shares.length === 0 ? 'nothing' : 'written';
    try {
      await readModels.commitAll(mark === null ? changes : [...changes, mark]);
    } catch (error) {
      if (error instanceof CheckpointMoved) throw error;
      if (error instanceof StoreUnavailable) {
        await expectUnmoved(changes);
        throw error;
      }
      await settled(folded.map(({ share }) => orLeaveBehind(share.runner, () => byItself(share, to))));
      return 'written';
    }
    for (const { share } of folded) applied(share, to);
    return mark === null ? 'written' : 'moved';
  };
}
