/**
 * How a batch of the history becomes documents of many projections with few writes: the documents of all of them, then
 * all their checkpoints and the mark at once. What one of them can't do is then done one by one, so that it alone is held
 * up by it.
 */
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
  /** As far as batches of no concern went by; its checkpoint comes after them in a while. */
  passed: Position;
  /** Batches pass it by until it has been caught up by itself. */
  behind: boolean;
}

export interface ApplyDeps extends ProjectionDeps {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Told of each batch that was applied: how many events of it concerned the projection. */
  readonly onApplied?: (target: Target, events: number) => void;
}

/** A checkpoint that moves past events of no concern is worth a write once in a while: it saves a re-scan later. */
const IDLE_COMMIT_MS = 2_000;
const RELOADS = 20;

interface Share {
  readonly runner: Runner;
  /** What of the batch it has not seen. */
  readonly unseen: readonly StoredRecord[];
  readonly concerned: number;
}

export type Apply = (
  runners: readonly Runner[],
  records: readonly StoredRecord[],
  to: Position,
  mark: CollectionCommit | null,
) => Promise<boolean>;

/**
 * @param orLeaveBehind lets a runner go on by itself where its work fails; what concerns the stores comes out of it
 * @returns what applies a batch to runners that are in step; it answers whether the mark moved along.
 * @throws CheckpointMoved, StoreUnavailable, both from the result
 */
export function createApply(
  deps: ApplyDeps,
  orLeaveBehind: (runner: Runner, work: () => Promise<void>) => Promise<void>,
): Apply {
  const { readModels, clock } = deps;

  /** Null where it is not worth a write. */
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
        // Somebody outside the projection (an erasure) wrote one of its documents: fold again from what is there now.
        if (!(error instanceof DocumentMoved) || attempt >= RELOADS) throw error;
      }
    }
    applied(share, to);
  }

  /** A runner that has been replaced must not try again what failed for another reason. @throws CheckpointMoved */
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
          folded.push({ share, change: await foldedBatch(target, deps, share.unseen, from, to) });
        }),
      ),
    );
    const changes = folded.map(({ change }) => change);
    const all = mark === null ? changes : [...changes, mark];
    if (all.length === 0) return false;
    try {
      await readModels.commitAll(all);
    } catch (error) {
      if (error instanceof CheckpointMoved) throw error;
      if (error instanceof StoreUnavailable) {
        await expectUnmoved(changes);
        throw error;
      }
      await settled(folded.map(({ share }) => orLeaveBehind(share.runner, () => byItself(share, to))));
      return false;
    }
    for (const { share } of folded) applied(share, to);
    return mark !== null;
  };
}
