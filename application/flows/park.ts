/** Executions that can not go on by themselves, and those who have them go on. */
import { executionAggregate } from '../../domain/execution/decide.js';
import { notFound, type Caller, type Written } from '../provisioning/common.js';
import { directCommand, type App } from '../app.js';
import { flowContext, type FlowCause, type FlowEngine } from './engine.js';
import { customerTookPart, loadExecution } from './load.js';
import { openForPeople } from './people.js';

/** Longer ones are cut: a reason is read by people. */
const REASON = 500;

export async function parkExecution(
  { app }: FlowEngine,
  executionUuid: string,
  reason: string,
  cause: FlowCause,
): Promise<void> {
  const loaded = await loadExecution(app, executionUuid);
  if (loaded === null) return;
  const { state } = await app.executor.execute(
    executionAggregate,
    executionUuid,
    { type: 'ParkExecution', reason: reason.slice(0, REASON) },
    flowContext(app, cause, loaded.created.subject),
  );
  // Somebody who is in the middle of it must not be left alone with a flow that is silent.
  if (state.phase === 'parked' && state.conversationUuid !== null && customerTookPart(loaded)) {
    await openForPeople({ app }, state.conversationUuid, 'flow', cause);
  }
}

/** @throws Refusal not_found, execution_ended */
export const resumeExecution = (app: App, executionUuid: string, caller: Caller): Promise<Written> =>
  run(app, executionUuid, { type: 'ResumeExecution' }, caller);

/** Ends it where it is; one that is over stays as it ended. @throws Refusal not_found */
export const cancelExecution = (app: App, executionUuid: string, caller: Caller): Promise<Written> =>
  run(app, executionUuid, { type: 'EndExecution', status: 'cancelled', reason: 'operator' }, caller);

async function run(
  app: App,
  executionUuid: string,
  command: Parameters<(typeof executionAggregate)['decide']>[0],
  caller: Caller,
): Promise<Written> {
  const loaded = await loadExecution(app, executionUuid);
  if (loaded === null) throw notFound('execution', 'execution');
  const { company_uuid: company, subject } = loaded.created;
  const done = await app.executor.execute(
    executionAggregate,
    executionUuid,
    command,
    directCommand(app, { company, ...caller }, subject),
  );
  return { position: done.position };
}
