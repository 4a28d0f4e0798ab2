/**
 * Work that a restore holds: it was due, or under way, when the copy was taken, so the life that is lost may have done it.
 * No history makes it anew, but the next restore does.
 */
import type { DueEntry } from '../ports/due-times.js';
import { collection } from './collection.js';

/**
 * `send`: an operation. `flow`: a wait or a step of an execution. `delivery`: of a webhook. `order`: the end of its hold.
 * `reaction`: of a worker to an event.
 */
export const HELD_KINDS = ['send', 'flow', 'delivery', 'order', 'reaction'] as const;
export type HeldKind = (typeof HELD_KINDS)[number];

export type HeldWork = {
  /** Uuid of the operation, the execution, the delivery or the order; a reaction has one of its own. */
  readonly id: string;
  readonly kind: HeldKind;
  readonly company_uuid: string;
  /** What it is about: the block's time, the stream of the event, and so on; no personal data. */
  readonly about: string;
  /** ISO 8601: when it was due. */
  readonly due_at: string;
  /** ISO 8601: the restore that holds it. */
  readonly restored_at: string;
  readonly restore_position: string;
  /** What goes back into the due-time store when it is released. */
  readonly row: DueEntry;
};

export const heldWork = collection<HeldWork>()({
  name: 'held_work',
  version: 1,
  indexes: { all: ['due_at'], by_company: ['company_uuid', 'due_at'] },
  forgets: true,
});
