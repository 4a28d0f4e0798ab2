import type { ExecutionData, ExecutionEvent } from './events.js';
import type { Execution } from './state.js';

/** The status of an execution, in the API and in webhooks (docs/flows.md). */
export type ExecutionStatus =
  'queued' | 'processing' | 'waiting' | 'parked' | ExecutionData<'ExecutionEnded'>['status'];

export const EXECUTION_STATUSES: readonly ExecutionStatus[] = [
  'queued',
  'processing',
  'waiting',
  'parked',
  'completed',
  'handed_off',
  'expired',
  'cancelled',
  'failed',
];

/** An execution that is queued behind another one is `waiting`. */
export function executionStatus({
  phase,
  behind,
  wait,
  ended,
}: Pick<Execution, 'phase' | 'behind' | 'wait' | 'ended'>): ExecutionStatus {
  if (phase === 'parked') return 'parked';
  if (ended !== null) return ended.status;
  if (phase === 'running') return wait === null ? 'processing' : 'waiting';
  return behind === null ? 'queued' : 'waiting';
}

/** Events that may change the status of an existing execution. */
export const EXECUTION_MOVES = [
  'ExecutionQueued',
  'ExecutionStarted',
  'ExecutionMoved',
  'ExecutionWaitBegan',
  'ExecutionStepTaken',
  'ExecutionParked',
  'ExecutionResumed',
  'ExecutionEnded',
] as const;
export type ExecutionMove = Extract<ExecutionEvent, { type: (typeof EXECUTION_MOVES)[number] }>;
