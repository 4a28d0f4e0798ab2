/** Writes to an execution's stream about its current step. Of concurrent writers, one wins by revision. */
import {
  executionAggregate,
  type Continuation,
  type ExecutionCommand,
} from '../../domain/execution/decide.js';
import type { Execution } from '../../domain/execution/state.js';
import { effectOf, stepAfter, type Outcome } from '../../domain/flow/interpreter.js';
import type { ValuesAround } from '../../domain/flow/values.js';
import { takeStep, type Step } from '../../domain/flow/session.js';
import type { FlowDefinition } from '../../domain/flow/blocks.js';
import type { ExecutionData } from '../../domain/execution/events.js';
import type { ConversationUuid } from '../../domain/kernel/ids.js';
import type { PrimaryContact } from '../people/primary-contact.js';
import { flowContext, type FlowCause, type FlowEngine } from './engine.js';
import { cancelTimer, FLOW_TIMERS, flowEntry, type FlowRow } from './queues.js';

/** An execution at a step, with everything that taking the step needs. */
export interface StepContext {
  readonly engine: FlowEngine;
  readonly cause: FlowCause;
  readonly uuid: string;
  readonly created: ExecutionData<'ExecutionCreated'>;
  readonly state: Execution & { readonly conversationUuid: ConversationUuid };
  readonly definition: FlowDefinition;
  /** The contact it was created for, or the one that contact was merged into. */
  readonly contact: PrimaryContact;
  readonly environment: ValuesAround;
}

export async function command(present: StepContext, given: ExecutionCommand): Promise<Execution> {
  const { engine, cause, uuid, created } = present;
  const { state } = await engine.app.executor.execute(
    executionAggregate,
    uuid,
    given,
    flowContext(engine.app, cause, created.subject),
  );
  return state;
}

/** Leaves the block. Changes nothing when another writer has already taken the step. */
export async function completeStep(
  present: StepContext,
  outcome: Outcome,
  more: {
    readonly messageUuid?: string | undefined;
    readonly continuedBy?: Continuation | undefined;
  } = {},
): Promise<Execution> {
  const { definition, state, environment, engine, uuid } = present;
  const { session, wait } = state;
  const taken = stepAfter(definition, session, environment, outcome);
  const after = await command(present, {
    type: 'TakeStep',
    step: session.step,
    taken,
    messageUuid: more.messageUuid ?? null,
    continuedBy: more.continuedBy ?? null,
  });
  logFailures(present, [taken]);
  // A due row itself advances the execution, and is retried if interrupted; so only rows not yet due are cancelled.
  const byTime = wait?.waits_for === 'time' || outcome.went === 'timed_out';
  if (wait !== null && wait.until !== null && !byTime) {
    await cancelTimer(engine.app.dueTimes, { execution_uuid: uuid, step: session.step });
  }
  return after;
}

/** Bounds the size of an append. */
const MOVES_IN_A_ROW = 50;

/** Leaves a block that has no effect to perform, and those that follow it, in one append. */
export async function skipAhead(present: StepContext): Promise<Execution> {
  const { definition, state, environment } = present;
  const taken: Step[] = [];
  let session = state.session;
  do {
    const step = stepAfter(definition, session, environment, { went: 'done' });
    taken.push(step);
    session = takeStep(session, step);
  } while (
    session.ended === null &&
    taken.length < MOVES_IN_A_ROW &&
    effectOf(definition, session, environment).do === 'move'
  );
  const [first, ...then] = taken;
  const after = await command(present, {
    type: 'TakeStep',
    step: state.session.step,
    taken: first!,
    then,
    messageUuid: null,
    continuedBy: null,
  });
  logFailures(present, taken);
  return after;
}

function logFailures({ engine, uuid, created }: StepContext, taken: readonly Step[]): void {
  for (const { block, way, failure } of taken) {
    if (!failure) continue;
    const { code, message, details } = failure;
    const where = { execution: uuid, flow: created.flow_uuid, flow_version: created.flow_version, block };
    engine.app.logger.info({ ...where, way, code, reason: message, details }, 'a block of a flow failed');
  }
}

/** `until`: epoch milliseconds; null waits forever. */
export async function beginWait(
  present: StepContext,
  waitsFor: 'answer' | 'time' | 'callback',
  until: number | null,
  conversationUuid: ConversationUuid,
): Promise<Execution> {
  const { engine, state } = present;
  const { step } = state.session;
  // Scheduled first, so that every recorded wait has a row that ends it; a row whose wait never began is ignored.
  if (until !== null) {
    await engine.app.dueTimes.schedule([flowEntry(FLOW_TIMERS, rowOf(present, step + 1), until)]);
  }
  return command(present, {
    type: 'BeginWait',
    step,
    waitsFor,
    until: until === null ? null : new Date(until).toISOString(),
    conversationUuid,
  });
}

export const rowOf = ({ uuid, cause }: Pick<StepContext, 'uuid' | 'cause'>, step: number): FlowRow => ({
  execution_uuid: uuid,
  step,
  company: cause.company,
  correlation_id: cause.correlationId,
});
