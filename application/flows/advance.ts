/**
 * Takes an execution as far as there is something to do: until it waits, is over, or a message it sent is under way.
 *
 * What is done at a step has a name that derives from execution and step, and is on record before the next step begins.
 * A process that dies in between leaves nothing but a step to be done again, which finds what was done: a message is the
 * same operation, a field has its value already, a call to another system was begun and is not made twice.
 */
import { isGone } from '../../domain/contact/state.js';
import { conversationAggregate } from '../../domain/conversation/decide.js';
import { effectOf } from '../../domain/flow/interpreter.js';
import { finishedSurvivorOf } from '../people/survivor.js';
import { perform } from './effects.js';
import { endExecution, REPLACED } from './end.js';
import { flowContext, type FlowCause, type FlowEngine } from './engine.js';
import { loadExecution } from './load.js';
import { FLOW_TIMERS, flowEntry } from './queues.js';
import { valuesAround } from './values.js';
import { leave, move, rowOf, type Present } from './steps.js';

/** Then others come first: a flow of many conditions must not hold its worker up. */
const STEPS_IN_A_ROW = 50;

export async function advance(engine: FlowEngine, executionUuid: string, cause: FlowCause): Promise<void> {
  for (let steps = 0; steps < STEPS_IN_A_ROW; steps += 1) {
    const present = await presentOf(engine, executionUuid, cause);
    if (present === null) return;
    const { state, definition, around } = present;
    const { session } = state;
    if (session.waiting) {
      const calledBack =
        state.wait?.waits_for === 'callback' && Object.hasOwn(state.callbacks, session.at ?? '');
      if (!calledBack) return;
      await leave(present, { went: 'answered', body: state.callbacks[session.at ?? ''] });
      continue;
    }
    const effect = effectOf(definition, session, around);
    if (effect.do === 'move') {
      await move(present);
      continue;
    }
    if (effect.do === 'fail') {
      await leave(present, { went: 'failed', failure: effect.failure });
      continue;
    }
    const outcome = await perform(present, effect);
    // Something is under way, and whoever ends it comes back here.
    if (outcome === null) return;
    if (outcome.went === 'began') continue;
    await leave(present, outcome, { continuedBy: outcome.continuedBy });
  }
  const { app } = engine;
  const loaded = await loadExecution(app, executionUuid);
  if (loaded?.state.phase !== 'running') return;
  const { step } = loaded.state.session;
  await app.dueTimes.schedule([
    flowEntry(FLOW_TIMERS, rowOf({ uuid: executionUuid, cause }, step), app.clock.now()),
  ]);
}

/** Null when there is nothing to be done; one that has lost its conversation or its contact is ended. */
export async function presentOf(engine: FlowEngine, uuid: string, cause: FlowCause): Promise<Present | null> {
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
  const contact = await finishedSurvivorOf(app, created.contact_uuid, flowContext(app, cause));
  if (isGone(contact.contact)) {
    await endExecution(engine, uuid, { status: 'cancelled', reason: 'contact_erased' }, cause);
    return null;
  }
  const definition = await engine.version(created.flow_uuid, created.flow_version);
  const around = valuesAround(app, uuid, definition, contact.contact, created.integration_uuid);
  return { engine, cause, uuid, created, state: { ...state, conversationUuid }, definition, contact, around };
}
