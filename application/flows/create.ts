import { executionAggregate } from '../../domain/execution/decide.js';
import type { ExecutionData } from '../../domain/execution/events.js';
import { flowContext, type FlowCause, type FlowEngine } from './engine.js';

/** Recorded before any work is done for it. An existing execution is left unchanged. */
export async function createExecution(
  { app }: FlowEngine,
  executionUuid: string,
  data: ExecutionData<'ExecutionCreated'>,
  cause: FlowCause,
): Promise<void> {
  await app.executor.execute(
    executionAggregate,
    executionUuid,
    { type: 'CreateExecution', data },
    flowContext(app, cause, data.subject),
  );
}
