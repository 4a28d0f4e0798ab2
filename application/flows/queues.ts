/** Rows of flows in the due-time store. */
import type { DueEntry, DueTimes } from '../../ports/due-times.js';

/** Ends of waits, and turns of executions that gave way to others. */
export const FLOW_TIMERS = 'flow-timers';
/** Calls to other systems that are to be made. */
export const FLOW_REQUESTS = 'flow-requests';

export type FlowRow = {
  readonly execution_uuid: string;
  /** Step that it belongs to; one that was overtaken changes nothing. */
  readonly step: number;
  readonly company: string;
  readonly correlation_id: string;
};

const rowId = ({ execution_uuid, step }: Pick<FlowRow, 'execution_uuid' | 'step'>): string =>
  `${execution_uuid}/${step}`;

/** Companies take turns: each has a lane of its own. */
export const flowEntry = (queue: string, row: FlowRow, dueAt: number): DueEntry => ({
  queue,
  id: rowId(row),
  lane: row.company,
  dueAt,
  payload: row,
});

/** The wait at that step is over. */
export const cancelTimer = (
  dueTimes: DueTimes,
  row: Pick<FlowRow, 'execution_uuid' | 'step'>,
): Promise<void> => dueTimes.cancel(FLOW_TIMERS, [rowId(row)]);
