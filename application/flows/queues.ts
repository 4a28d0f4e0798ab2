/** Rows of flows in the due-time store. */
import type { DueEntry, DueTimes } from '../../ports/due-times.js';

/** Ends of waits, and continuations of executions that yielded to others. */
export const FLOW_TIMERS = 'flow-timers';
/** Pending calls to other systems. */
export const FLOW_REQUESTS = 'flow-requests';

export type FlowRow = {
  readonly execution_uuid: string;
  /** The step that the row belongs to; a row of an earlier step changes nothing. */
  readonly step: number;
  readonly company: string;
  readonly correlation_id: string;
};

const rowId = ({ execution_uuid, step }: Pick<FlowRow, 'execution_uuid' | 'step'>): string =>
  `${execution_uuid}/${step}`;

/** Each company has its own lane, so that companies are served fairly. */
export const flowEntry = (queue: string, row: FlowRow, dueAt: number): DueEntry => ({
  queue,
  id: rowId(row),
  lane: row.company,
  dueAt,
  payload: row,
});

/** Cancels the row of a wait at that step, which has ended. */
export const cancelTimer = (
  dueTimes: DueTimes,
  row: Pick<FlowRow, 'execution_uuid' | 'step'>,
): Promise<void> => dueTimes.cancel(FLOW_TIMERS, [rowId(row)]);
