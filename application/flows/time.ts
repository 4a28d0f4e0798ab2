/** The end of a wait: its time has come, or an answer has taken too long. */
import { advance, presentOf } from './advance.js';
import type { FlowCause, FlowEngine } from './engine.js';
import { FLOW_TIMERS, flowEntry, type FlowRow } from './queues.js';
import { completeStep, rowOf } from './steps.js';

/** Null when it is done; else the time (epoch milliseconds) of the next attempt. */
export async function timeIsUp(engine: FlowEngine, row: FlowRow, cause: FlowCause): Promise<number | null> {
  const uuid = row.execution_uuid;
  const found = await presentOf(engine, uuid, cause);
  if (found === null) return null;
  // The row is scheduled before its wait is recorded, and a crash may come in between; it must end that wait, too.
  const early = found.state.session.step < row.step;
  if (early) await advance(engine, uuid, cause);
  const present = early ? await presentOf(engine, uuid, cause) : found;
  if (present === null) return null;
  const { session, wait } = present.state;
  if (wait !== null && session.step === row.step) {
    if (wait.until === null) return null;
    const until = Date.parse(wait.until);
    if (until > engine.app.clock.now()) return until;
    if (wait.waits_for === 'time') await completeStep(present, { went: 'done' });
    else await leaveUnanswered(engine, row, until, cause);
  }
  // Also where the step was already taken: the process that took it may have died before it continued.
  await advance(engine, uuid, cause);
  return null;
}

/** A recorded call, or an answer received before the deadline, counts as in time no matter how late it is processed. */
async function leaveUnanswered(
  engine: FlowEngine,
  { execution_uuid: uuid, step }: FlowRow,
  until: number,
  cause: FlowCause,
): Promise<void> {
  await engine.untilInboundProcessed(until);
  const present = await presentOf(engine, uuid, cause);
  if (present?.state.session.step !== step) return;
  const { session, callbacks } = present.state;
  if (!Object.hasOwn(callbacks, session.at ?? '')) await completeStep(present, { went: 'timed_out' });
}

/** Resumes a parked execution. Events for it were ignored while it was parked, and the row of its wait may be gone. */
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
