/** Executions that cannot continue by themselves, and the commands that resume or cancel them. */
import { executionAggregate } from '../../domain/execution/decide.js';
import { notFound, type Caller, type Written } from '../provisioning/common.js';
import { directCommand, type App } from '../app.js';
import { TAKEN_OVER } from './end.js';
import { flowContext, type FlowCause, type FlowEngine } from './engine.js';
import { customerTookPart, loadExecution } from './load.js';
import { openForPeople } from './people.js';

/** Maximum length of a reason, which is read by people; longer ones are cut. */
const REASON = 500;

/** Parks an execution that exists and, if a customer took part in it, opens its conversation for people. */
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
  // A customer in the middle of the flow must not be left with a flow that no longer answers.
  if (state.phase === 'parked' && state.conversationUuid !== null && customerTookPart(loaded)) {
    await openForPeople({ app }, state.conversationUuid, 'flow', cause);
  }
}

/** @throws Refusal not_found, execution_ended */
export const resumeExecution = (
  app: Pick<App, 'executor' | 'newId'>,
  executionUuid: string,
  caller: Caller,
): Promise<Written> => run(app, executionUuid, { type: 'ResumeExecution' }, caller);

/** Cancels it where it is; one that has ended is left unchanged. @throws Refusal not_found */
export const cancelExecution = (
  app: Pick<App, 'executor' | 'newId'>,
  executionUuid: string,
  caller: Caller,
): Promise<Written> =>
  run(app, executionUuid, { type: 'EndExecution', status: 'cancelled', reason: 'operator' }, caller);

/** Ends the execution because a person took over the conversation. @throws Refusal not_found */
export const handOverExecution = (
  app: Pick<App, 'executor' | 'newId'>,
  executionUuid: string,
  caller: Caller,
): Promise<Written> =>
  run(app, executionUuid, { type: 'EndExecution', status: 'handed_off', reason: TAKEN_OVER }, caller);

async function run(
  app: Pick<App, 'executor' | 'newId'>,
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
