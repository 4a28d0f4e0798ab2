/**
 * Jobs on projections that operators requested (orders, in the code): one document per job, written by the process that
 * runs it.
 */
import type { Position } from '../ports/event-store.js';
import { collection } from './collection.js';
import type { FailedEvent } from './projection-states.js';

export type Difference = {
  readonly id: string;
  /** JSON pointer; empty when the document is in one copy only. */
  readonly pointer: string;
  /** Masked; null when the value is absent. */
  readonly old: string | null;
  readonly new: string | null;
};

export type Verification = {
  /** False when the operator asked to compare only a sample. */
  readonly full: boolean;
  readonly rows_old: number | null;
  readonly rows_new: number | null;
  readonly compared: number;
  /** Documents that differ, are missing, or are only in the new copy. */
  readonly different: number;
  readonly missing: number;
  readonly added: number;
  /** Documents of the old copy that can't be read, so a difference can't be proved. The new copy has them. */
  readonly unreadable: number;
  /** The first differences found. */
  readonly differences: readonly Difference[];
};

/**
 * `rebuild` creates a new generation and flips to it. `flip` makes an existing generation live (usually the previous
 * one). `drop` removes a generation that is not live, or a version of another release.
 */
export type JobKind = 'rebuild' | 'flip' | 'drop';

/** `differs` waits for an operator's decision. The last three are final. */
export type ProjectionJobStatus =
  'queued' | 'building' | 'verifying' | 'differs' | 'flipping' | 'dropping' | 'done' | 'cancelled' | 'failed';

export type JobProjection = {
  readonly name: string;
  readonly version: number;
  /** The generation that was live when the job started. */
  readonly from_generation: number | null;
  /** The generation that is built, flipped to or dropped; null when a whole version is dropped. */
  readonly generation: number | null;
  readonly state:
    'waiting' | 'building' | 'built' | 'differs' | 'flipped' | 'dropped' | 'failed' | 'cancelled';
  readonly error: string | null;
  readonly failed_event: FailedEvent | null;
  readonly verification: Verification | null;
};

export type JobProgress = {
  readonly position: string | null;
  /** Number of events examined since this process started to build. */
  readonly events: number;
  readonly events_per_second: number;
  /** Share of the history that is processed, 0 to 1. */
  readonly part: number;
  readonly seconds_left: number | null;
};

export type ProjectionJobDoc = {
  readonly uuid: string;
  readonly shelf: 'all';
  /** 1 while the job is not finished. */
  readonly open: 0 | 1;
  readonly kind: JobKind;
  readonly status: ProjectionJobStatus;
  readonly requested_by: string;
  readonly requested_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** Number of documents to compare for each projection; null compares all of them. */
  readonly sample: number | null;
  readonly accept_differences: boolean;
  /** End of the history when the job started: erasures from there on are repeated in the new copy. */
  readonly began_at: Position | null;
  readonly progress: JobProgress;
  readonly projections: readonly JobProjection[];
  readonly error: string | null;
};

export const projectionRebuilds = collection<ProjectionJobDoc>()({
  name: 'projection_rebuilds',
  version: 1,
  indexes: { all: ['shelf', 'requested_at'], by_state: ['open', 'requested_at'] },
});
