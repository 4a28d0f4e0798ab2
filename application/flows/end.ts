/** Ends an execution before its flow reaches its end. */
import { executionAggregate } from '../../domain/execution/decide.js';
import type { ExecutionData } from '../../domain/execution/events.js';
import { flowContext, type FlowCause, type FlowEngine } from './engine.js';
import { loadExecution } from './load.js';

/** An execution that has already ended is left unchanged. */
export async function endExecution(
  { app }: FlowEngine,
  executionUuid: string,
  end: {
    readonly status: ExecutionData<'ExecutionEnded'>['status'];
    readonly reason: string | null;
    readonly details?: Readonly<Record<string, unknown>>;
  },
  cause: FlowCause,
): Promise<void> {
  const loaded = await loadExecution(app, executionUuid);
  if (loaded === null) return;
  await app.executor.execute(
    executionAggregate,
    executionUuid,
    { type: 'EndExecution', ...end },
    flowContext(app, cause, loaded.created.subject),
  );
}

/** Reasons for an end that the flow itself did not reach. */
export const ASKED_FOR_PERSON = 'asked_for_person';
/** A person of the team took the conversation over. */
export const TAKEN_OVER = 'taken_over';
export const OPTED_OUT = 'opted_out';
export const REPLACED = 'replaced';
