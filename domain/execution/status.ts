import type { ExecutionData, ExecutionEvent } from './events.js';
import type { Execution } from './state.js';

/** How an execution shows, in the API and in webhooks (docs/flows.md). */
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

/** One in line behind another waits for it. */
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

/** What may change how an execution that was created shows. */
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
