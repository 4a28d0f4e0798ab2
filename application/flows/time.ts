/** The end of a wait: the time that was waited for, or that an answer has taken too long. */
import { advance, presentOf } from './advance.js';
import type { FlowCause, FlowEngine } from './engine.js';
import { FLOW_TIMERS, flowEntry, type FlowRow } from './queues.js';
import { leave, rowOf } from './steps.js';

/** Null when it is done with; else the time (epoch milliseconds) at which it is to be looked at again. */
export async function timeIsUp(engine: FlowEngine, row: FlowRow, cause: FlowCause): Promise<number | null> {
  const uuid = row.execution_uuid;
  const found = await presentOf(engine, uuid, cause);
  if (found === null) return null;
  // Scheduled before its wait is on record, which nobody may have come to: this row is the one that is to end it.
  const early = found.state.session.step < row.step;
  if (early) await advance(engine, uuid, cause);
  const present = early ? await presentOf(engine, uuid, cause) : found;
  if (present === null) return null;
  const { session, wait } = present.state;
  if (wait !== null && session.step === row.step) {
    if (wait.until === null) return null;
    const until = Date.parse(wait.until);
    if (until > engine.app.clock.now()) return until;
    if (wait.waits_for === 'time') await leave(present, { went: 'done' });
    else await leaveUnanswered(engine, row, until, cause);
  }
  // Also where the step was taken before: whoever took it may have died before going on.
  await advance(engine, uuid, cause);
  return null;
}

/** A call that is on record, or an answer that had come in, was given in time however late somebody gets to it. */
async function leaveUnanswered(
  engine: FlowEngine,
  { execution_uuid: uuid, step }: FlowRow,
  until: number,
  cause: FlowCause,
): Promise<void> {
  await engine.untilHeard(until);
  const present = await presentOf(engine, uuid, cause);
  if (present?.state.session.step !== step) return;
  const { session, callbacks } = present.state;
  if (!Object.hasOwn(callbacks, session.at ?? '')) await leave(present, { went: 'timed_out' });
}

/** After it was parked, when nothing that came for it was heard: the row of its wait may be gone. */
export async function goOn(engine: FlowEngine, executionUuid: string, cause: FlowCause): Promise<void> {
  const present = await presentOf(engine, executionUuid, cause);
  if (present === null) return;
  const { session, wait } = present.state;
  if (wait !== null && wait.until !== null) {
    const row = rowOf(present, session.step);
    await engine.app.dueTimes.schedule([flowEntry(FLOW_TIMERS, row, Date.parse(wait.until))]);
  }
  await advance(engine, executionUuid, cause);
}
