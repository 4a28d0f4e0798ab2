import { executionAggregate } from '../../domain/execution/decide.js';
import type { ExecutionData } from '../../domain/execution/events.js';
import type { Execution } from '../../domain/execution/state.js';
import type { App } from '../app.js';

export interface LoadedExecution {
  readonly state: Execution;
  readonly created: ExecutionData<'ExecutionCreated'>;
}

/** Null when it does not exist. */
export async function loadExecution(
  app: Pick<App, 'executor'>,
  executionUuid: string,
): Promise<LoadedExecution | null> {
  const { state } = await app.executor.load(executionAggregate, executionUuid);
  return state.created === null ? null : { state, created: state.created };
}

/** Whether a customer has written and may expect an answer; false, for example, for an unanswered campaign. */
export const customerTookPart = ({ state, created }: LoadedExecution): boolean =>
  created.message_uuid !== null ||
  Object.keys(state.session.answer).length > 0 ||
  state.ended?.reason === 'answer_invalid';
