/** What operators order of projections: one document for each order, written by the process that carries it out. */
import type { Position } from '../ports/event-store.js';
import { collection } from './collection.js';
import type { FailedEvent } from './projection-states.js';

export type Difference = {
  readonly id: string;
  /** JSON pointer; empty when the document is in one copy only. */
  readonly pointer: string;
  /** Masked; null when there is none. */
  readonly old: string | null;
  readonly new: string | null;
};

export type Verification = {
  /** False when an operator asked for a sample. */
  readonly full: boolean;
  readonly rows_old: number | null;
  readonly rows_new: number | null;
  readonly compared: number;
  /** Documents that differ, are missing or are too many. */
  readonly different: number;
  readonly missing: number;
  readonly added: number;
  /** Documents of the old copy that can't be read: nothing says that they differ. The new copy has them. */
  readonly unreadable: number;
  /** The first ones. */
  readonly differences: readonly Difference[];
};

/**
 * `rebuild` makes a new generation and flips to it, `flip` goes to one that is there (back, as a rule), `drop` removes
 * one that is not live, or a version of another release.
 */
export type OrderKind = 'rebuild' | 'flip' | 'drop';

/** `differs` waits for an operator's word. The last three are final. */
export type ProjectionOrderStatus =
  'queued' | 'building' | 'verifying' | 'differs' | 'flipping' | 'dropping' | 'done' | 'cancelled' | 'failed';

export type OrderedProjection = {
  readonly name: string;
  readonly version: number;
  /** Live when the order was begun. */
  readonly from_generation: number | null;
  /** The one that is built, flipped to or dropped; null where a whole version is dropped. */
  readonly generation: number | null;
  readonly state:
    'waiting' | 'building' | 'built' | 'differs' | 'flipped' | 'dropped' | 'failed' | 'cancelled';
  readonly error: string | null;
  readonly failed_event: FailedEvent | null;
  readonly verification: Verification | null;
};

export type OrderProgress = {
  readonly position: string | null;
  /** Looked at since this process began to build. */
  readonly events: number;
  readonly events_per_second: number;
  /** Of the way through the history, 0 to 1. */
  readonly part: number;
  readonly seconds_left: number | null;
};

export type ProjectionOrderDoc = {
  readonly uuid: string;
  readonly shelf: 'all';
  /** 1 as long as there is something left to do. */
  readonly open: 0 | 1;
  readonly kind: OrderKind;
  readonly status: ProjectionOrderStatus;
  readonly requested_by: string;
  readonly requested_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** Documents to compare of each projection; null is all of them. */
  readonly sample: number | null;
  readonly accept_differences: boolean;
  /** End of the history when it began: erasures from there on are done again in what is built. */
  readonly began_at: Position | null;
  readonly progress: OrderProgress;
  readonly projections: readonly OrderedProjection[];
  readonly error: string | null;
};

export const projectionRebuilds = collection<ProjectionOrderDoc>()({
  name: 'projection_rebuilds',
  version: 1,
  indexes: { all: ['shelf', 'requested_at'], by_state: ['open', 'requested_at'] },
});
