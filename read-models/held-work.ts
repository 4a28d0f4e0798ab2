/**
 * Work that a restore holds back. It was due or in progress when the backup was taken, so the store that was lost may
 * have done it already. These records can't be derived from the history; the next restore creates them again.
 */
import type { CompanyUuid } from '../domain/kernel/ids.js';
import type { DueEntry } from '../ports/due-times.js';
import { collection } from './collection.js';

/**
 * `send`: an operation. `flow`: a wait or a step of an execution. `delivery`: a webhook delivery. `order`: the end of
 * an order's hold. `reaction`: a worker's reaction to an event.
 */
export const HELD_KINDS = ['send', 'flow', 'delivery', 'order', 'reaction'] as const;
export type HeldKind = (typeof HELD_KINDS)[number];

export type HeldWork = {
  /** Uuid of the operation, the execution, the delivery or the order; a reaction has its own. */
  readonly id: string;
  readonly kind: HeldKind;
  readonly company_uuid: CompanyUuid;
  /** Subject of the work: the block's time, the stream of the event, and so on; no personal data. */
  readonly about: string;
  /** ISO 8601: when it was due. */
  readonly due_at: string;
  /** ISO 8601: time of the restore that holds it. */
  readonly restored_at: string;
  readonly restore_position: string;
  /** The row that returns to the due-time store when the work is released. */
  readonly row: DueEntry;
};

export const heldWork = collection<HeldWork>()({
  name: 'held_work',
  version: 1,
  indexes: { all: ['due_at'], by_company: ['company_uuid', 'due_at'] },
  forgets: true,
});
