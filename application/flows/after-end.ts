/** Effects that the end of an execution has on its conversation. */
import { conversationAggregate } from '../../domain/conversation/decide.js';
import { depthOfNext } from '../../domain/execution/depth.js';
import type { ExecutionData } from '../../domain/execution/events.js';
import { effectOf } from '../../domain/flow/interpreter.js';
import { primaryContactAfterMerge } from '../people/primary-contact.js';
import { begin, createExecution } from './begin.js';
import { ASKED_FOR_PERSON, TAKEN_OVER } from './end.js';
import { flowContext, type FlowCause, type FlowEngine } from './engine.js';
import { customerTookPart, loadExecution, type LoadedExecution } from './load.js';
import { openForPeople } from './people.js';
import { cancelTimer } from './queues.js';
import { valuesAround } from './values.js';

const HANDED_OFF_BY: Readonly<Record<string, 'asked' | 'person'>> = {
  [ASKED_FOR_PERSON]: 'asked',
  [TAKEN_OVER]: 'person',
};

/**
 * Releases the conversation to people, to the continuing execution, or to the next one in the queue. May be repeated.
 */
export async function afterEnd(engine: FlowEngine, executionUuid: string, cause: FlowCause): Promise<void> {
  const { app } = engine;
  const loaded = await loadExecution(app, executionUuid);
  if (loaded === null) return;
  const { ended, session, conversationUuid } = loaded.state;
  if (ended === null) return;
  await cancelTimer(app.dueTimes, { execution_uuid: executionUuid, step: session.step });
  // The continuing execution takes the conversation over from this one.
  if (ended.continued_by !== null) {
    await createNext(engine, executionUuid, loaded, { ...ended, next: ended.continued_by }, cause);
    await begin(engine, ended.continued_by, cause);
  }
  // An execution that ended while queued has no conversation on record; it is removed once it is first in the queue.
  if (conversationUuid === null) return;
  const context = flowContext(app, cause);
  if (ended.status === 'handed_off') {
    await app.executor.execute(
      conversationAggregate,
      conversationUuid,
      {
        type: 'HandOffToPeople',
        executionUuid,
        by: HANDED_OFF_BY[ended.reason ?? ''] ?? 'handoff',
      },
      context,
    );
  } else {
    await app.executor.execute(
      conversationAggregate,
      conversationUuid,
      { type: 'LeaveByFlow', executionUuid },
      context,
    );
    if (ended.status === 'failed' && customerTookPart(loaded)) {
      await openForPeople(engine, conversationUuid, 'flow', cause);
    }
  }
}

/** Creates the continuing execution that the end names. In ends by older releases it already exists. */
async function createNext(
  engine: FlowEngine,
  executionUuid: string,
  { state, created }: LoadedExecution,
  ended: Pick<ExecutionData<'ExecutionEnded'>, 'details' | 'block'> & { readonly next: string },
  cause: FlowCause,
): Promise<void> {
  const { flow_uuid, flow_version } = ended.details;
  if (typeof flow_uuid !== 'string' || typeof flow_version !== 'number') return;
  const { app } = engine;
  const definition = await engine.version(created.flow_uuid, created.flow_version);
  const { contact } = await primaryContactAfterMerge(app, created.contact_uuid, flowContext(app, cause));
  const around = valuesAround(app, executionUuid, definition, contact, created.integration_uuid);
  // Nothing has changed since: the values for the next flow's variables are those that the block saw.
  const effect = effectOf(definition, { ...state.session, at: ended.block }, around);
  await createExecution(
    engine,
    ended.next,
    {
      ...created,
      flow_uuid,
      flow_version,
      // It continues this execution, which controls the conversation.
      if_running: 'replace',
      start: (await engine.version(flow_uuid, flow_version)).start,
      trigger: 'flow',
      operation_uuid: null,
      message_uuid: null,
      parent_uuid: executionUuid,
      ...depthOfNext(created, state),
      variables: effect.do === 'start_flow' ? effect.variables : {},
    },
    cause,
  );
}
