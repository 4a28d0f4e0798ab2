/** The end of a wait: the time that was waited for, or that an answer has taken too long. */
import { advance, presentOf } from './advance.js';
import type { FlowCause, FlowEngine } from './engine.js';
import type { FlowRow } from './queues.js';
import { leave } from './steps.js';

/** Null when it is done with; else the time (epoch milliseconds) at which it is to be looked at again. */
export async function timeIsUp(engine: FlowEngine, row: FlowRow, cause: FlowCause): Promise<number | null> {
  const present = await presentOf(engine, row.execution_uuid, cause);
  if (present === null || present.state.session.step !== row.step) return null;
  const { wait } = present.state;
  if (wait !== null) {
    if (wait.until === null) return null;
    const until = Date.parse(wait.until);
    if (until > engine.app.clock.now()) return until;
    await leave(present, { went: wait.waits_for === 'time' ? 'done' : 'timed_out' });
  }
  await advance(engine, row.execution_uuid, cause);
  return null;
}
