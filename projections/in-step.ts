/**
 * The position up to which all read models are current, except those that have fallen behind: as it is stored, and as it
 * is known here.
 */
import type { Clock } from '../ports/clock.js';
import { START, type Position } from '../ports/event-store.js';
import {
  CheckpointMoved,
  type CollectionCommit,
  type CollectionSpec,
  type ReadModels,
} from '../ports/read-models.js';
import type { InTurn } from '../ports/waiting.js';
import type { Tenure } from '../application/tenure.js';

/** Holds no documents, only the position. */
export const inStepCheckpoints: CollectionSpec = { name: 'projections', version: 1, indexes: {} };
export const IN_STEP = 'projections@1';

/** The shared position passes events that concern no projection within this time: requests elsewhere may wait for it. */
const MARK_WITHIN_MS = 100;

export interface InStepMark {
  /** The stored position. */
  readonly at: () => Position;
  /** Reads it from the store. */
  read(): Promise<Position>;
  /** The change that moves the stored position, to be written with others. `moved` has to follow. */
  commitTo(to: Position): CollectionCommit;
  moved(to: Position): void;
  /** @throws CheckpointMoved */
  move(to: Position): Promise<void>;
  /** Everything up to here is shown, and nothing was written: the stored position follows shortly. */
  moveSoon(to: Position): void;
  /** Stores what `moveSoon` has promised, if this process still may. */
  stop(): Promise<void>;
}

export interface InStepMarkDeps {
  readonly readModels: ReadModels;
  readonly clock: Pick<Clock, 'after'>;
  /** Called when the read models, except those that have fallen behind, contain everything up to this position. */
  readonly onProgress: (position: Position) => void;
}

/** @param inTurn the turns of the batches: the position moves between two of them */
export function createInStepMark(
  { readModels, clock, onProgress }: InStepMarkDeps,
  tenure: Tenure,
  inTurn: InTurn,
): InStepMark {
  let mark = START;
  /** All read models that are in step show everything up to here; the stored position follows. */
  let passed = START;
  let cancelMark: (() => void) | undefined;

  const commitTo = (to: Position): CollectionCommit => ({
    collection: inStepCheckpoints.name,
    projection: IN_STEP,
    from: mark,
    to,
    writes: [],
  });

  function moved(to: Position): void {
    mark = to;
    onProgress(to);
  }

  async function move(to: Position): Promise<void> {
    await readModels.commitAll([commitTo(to)]);
    moved(to);
  }

  /** Most such batches are followed by one with which the stored position moves. */
  function moveSoon(to: Position): void {
    passed = to;
    onProgress(to);
    cancelMark ??= clock.after(MARK_WITHIN_MS, () => {
      cancelMark = undefined;
      void inTurn(async () => {
        if (passed > mark && tenure.goesOn()) await move(passed);
      }).catch((error: unknown) => {
        if (error instanceof CheckpointMoved) tenure.lose(error);
        else if (!tenure.stopped()) moveSoon(passed);
      });
    });
  }

  return {
    at: () => mark,
    async read() {
      mark = await readModels.checkpoint(IN_STEP);
      return mark;
    },
    commitTo,
    moved,
    move,
    moveSoon,
    async stop() {
      cancelMark?.();
      // The next follower then skips events that concern no projection. If this fails, it only reads them again.
      if (cancelMark && passed > mark && tenure.isOurs()) await move(passed).catch(() => undefined);
    },
  };
}
