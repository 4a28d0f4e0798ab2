/**
 * Advances an execution as far as possible: until it waits, has ended, or one of its messages is being sent.
 *
 * The work of a step has an id derived from execution and step, and is recorded before the next step begins. If a
 * process dies in between, the step is repeated and finds the earlier work. A message is the same operation, and a
 * field already has its value. A call to another system is on record and is not made twice.
 */
import { isGone } from '../../domain/contact/state.js';
import { conversationAggregate } from '../../domain/conversation/decide.js';
import { effectOf } from '../../domain/flow/interpreter.js';
import { primaryContactAfterMerge } from '../people/primary-contact.js';
import { perform } from './effects.js';
import { endExecution, REPLACED } from './end.js';
import { flowContext, type FlowCause, type FlowEngine } from './engine.js';
import { loadExecution } from './load.js';
import { FLOW_TIMERS, flowEntry } from './queues.js';
import { valuesAround } from './values.js';
import { completeStep, skipAhead, rowOf, type StepContext } from './steps.js';

/** Then other executions run first: a flow of many conditions must not block its worker. */
const STEPS_IN_A_ROW = 50;

export async function advance(engine: FlowEngine, executionUuid: string, cause: FlowCause): Promise<void> {
  for (let steps = 0; steps < STEPS_IN_A_ROW; steps += 1) {
    const present = await presentOf(engine, executionUuid, cause);
    if (present === null) return;
    const { state, definition, environment } = present;
    const { session } = state;
    if (session.waiting) {
      const calledBack =
        state.wait?.waits_for === 'callback' && Object.hasOwn(state.callbacks, session.at ?? '');
      if (!calledBack) return;
      await completeStep(present, { went: 'answered', body: state.callbacks[session.at ?? ''] });
      continue;
    }
    const effect = effectOf(definition, session, environment);
    if (effect.do === 'move') {
      await skipAhead(present);
      continue;
    }
    if (effect.do === 'fail') {
      await completeStep(present, { went: 'failed', failure: effect.failure });
      continue;
    }
    const outcome = await perform(present, effect);
    // Pending: its completion event resumes the execution.
    if (outcome === null) return;
    if (outcome.went === 'began') continue;
    await completeStep(present, outcome, { continuedBy: outcome.continuedBy });
  }
  const { app } = engine;
  const loaded = await loadExecution(app, executionUuid);
  if (loaded?.state.phase !== 'running') return;
  const { step } = loaded.state.session;
  await app.dueTimes.schedule([
    flowEntry(FLOW_TIMERS, rowOf({ uuid: executionUuid, cause }, step), app.clock.now()),
  ]);
}

/**
 * Null when there is nothing to do. Ends an execution that lost control of its conversation, or whose contact is gone.
 */
export async function presentOf(
  engine: FlowEngine,
  uuid: string,
  cause: FlowCause,
): Promise<StepContext | null> {
  const { app } = engine;
  const loaded = await loadExecution(app, uuid);
  if (loaded?.state.phase !== 'running' || loaded.state.conversationUuid === null) return null;
  const { state, created } = loaded;
  const { conversationUuid } = loaded.state;
  const conversation = (await app.executor.load(conversationAggregate, conversationUuid)).state;
  if (conversation.execution !== uuid) {
    const end = conversation.withPeople
      ? ({ status: 'handed_off', reason: null } as const)
      : ({ status: 'cancelled', reason: REPLACED } as const);
    await endExecution(engine, uuid, end, cause);
    return null;
  }
  const contact = await primaryContactAfterMerge(app, created.contact_uuid, flowContext(app, cause));
  if (isGone(contact.contact)) {
    await endExecution(engine, uuid, { status: 'cancelled', reason: 'contact_erased' }, cause);
    return null;
  }
  const definition = await engine.version(created.flow_uuid, created.flow_version);
  const environment = valuesAround(app, uuid, definition, contact.contact, created.integration_uuid);
  return {
    engine,
    cause,
    uuid,
    created,
    state: { ...state, conversationUuid },
    definition,
    contact,
    environment,
  };
}
