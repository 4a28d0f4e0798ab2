/** What follows from the end of an execution in its conversation. */
import { conversationAggregate } from '../../domain/conversation/decide.js';
import { begin } from './begin.js';
import { ASKED_FOR_PERSON } from './end.js';
import { flowContext, type FlowCause, type FlowEngine } from './engine.js';
import { customerTookPart, loadExecution } from './load.js';
import { openForPeople } from './people.js';
import { cancelTimer } from './queues.js';

/** Leaves the conversation to people, to the execution that goes on for this one, or to whoever is next. May be repeated. */
export async function afterEnd(engine: FlowEngine, executionUuid: string, cause: FlowCause): Promise<void> {
  const { app } = engine;
  const loaded = await loadExecution(app, executionUuid);
  if (loaded === null) return;
  const { ended, session, conversationUuid } = loaded.state;
  if (ended === null) return;
  await cancelTimer(app.dueTimes, { execution_uuid: executionUuid, step: session.step });
  // What follows takes the conversation over from this one.
  if (ended.continued_by !== null) await begin(engine, ended.continued_by, cause);
  // One that ended while it was in line has no conversation on record: the line forgets it when its turn comes.
  if (conversationUuid === null) return;
  const context = flowContext(app, cause);
  if (ended.status === 'handed_off') {
    await app.executor.execute(
      conversationAggregate,
      conversationUuid,
      {
        type: 'HandOffToPeople',
        executionUuid,
        by: ended.reason === ASKED_FOR_PERSON ? 'asked' : 'handoff',
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
