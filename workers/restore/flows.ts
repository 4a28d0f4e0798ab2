/**
 * Flows that were running before a restore. Timers that are due later act as usual; work that was due or in progress is
 * held.
 */
import type { App } from '../../application/app.js';
import { loadExecution, type LoadedExecution } from '../../application/flows/load.js';
import { FLOW_REQUESTS, FLOW_TIMERS, flowEntry } from '../../application/flows/queues.js';
import { retryRow } from '../../application/parked-messages.js';
import { FLOWS } from '../../application/relay.js';
import { hold, reactionId } from '../../application/restore/held-work.js';
import type { Horizon } from '../../application/restore/horizon.js';
import { pointerAt, type OpenWork } from '../../application/restore/open-work.js';
import { conversationAggregate } from '../../domain/conversation/decide.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { isSettled } from '../../domain/operation/state.js';
import { executionStream, messageStream, operationStream } from '../../domain/streams.js';
import type { DueEntry } from '../../ports/due-times.js';
import type { StoredRecord } from '../../ports/event-store.js';
import { flowReactor } from '../flows/worker.js';
import { eachAtOnce } from './at-once.js';

export async function prepareFlows(
  app: Pick<App, 'dueTimes' | 'executor' | 'readModels' | 'store'>,
  horizon: Horizon,
  open: OpenWork,
): Promise<void> {
  await eachAtOnce(open.executions, async (uuid) => {
    const loaded = await loadExecution(app, uuid);
    if (loaded?.state.phase === 'running') await prepareRunning(app, horizon, uuid, loaded);
    if (loaded?.state.phase === 'queued') await prepareQueued(app, horizon, uuid, loaded);
  });
  await eachAtOnce(open.acceptedFlows.values(), (pointer) => react(app, horizon, pointer));
  const ended = [...open.inCharge.values()].filter((execution) => !open.executions.has(execution));
  await eachAtOnce(ended, (execution) => leaveBehind(app, horizon, execution));
}

async function prepareRunning(
  app: Pick<App, 'dueTimes' | 'executor' | 'readModels' | 'store'>,
  horizon: Horizon,
  uuid: string,
  { state, created }: LoadedExecution,
): Promise<void> {
  const { wait, session } = state;
  const { state: conversation } = await app.executor.load(conversationAggregate, state.conversationUuid!);
  const inCharge = conversation.execution === uuid;
  // It waits for an answer, without a time limit.
  if (inCharge && wait !== null && wait.until === null) return;
  // It continues when that send has ended.
  if (inCharge && wait === null && (await isSending(app, state.sendOperation))) return;
  const [first] = await app.store.read(executionStream.toName(uuid), { limit: 1 });
  const flowRow = {
    execution_uuid: uuid,
    step: session.step,
    company: created.company_uuid,
    correlation_id: first!.meta.correlation_id,
  };
  const dueAt = wait?.until ? Date.parse(wait.until) : horizon.at;
  const row = flowEntry(FLOW_TIMERS, flowRow, dueAt);
  if (horizon.nothingRanSince || (inCharge && dueAt > horizon.at)) return app.dueTimes.schedule([row]);
  await hold(app, horizon, [
    {
      id: uuid,
      kind: 'flow',
      company_uuid: created.company_uuid,
      about: `block ${session.at ?? ''} of flow ${created.flow_uuid}`,
      row,
    },
  ]);
  // When released, the step creates the row of its call again.
  await app.dueTimes.cancel(FLOW_REQUESTS, [row.id]);
}

async function isSending(app: Pick<App, 'executor'>, operationUuid: string | null): Promise<boolean> {
  if (operationUuid === null) return false;
  return !isSettled((await app.executor.load(operationAggregate, operationUuid)).state);
}

/**
 * If it is queued behind a running execution, the end of that one begins it. Otherwise the work that was to begin it
 * may be lost.
 */
async function prepareQueued(
  app: Pick<App, 'dueTimes' | 'executor' | 'readModels' | 'store'>,
  horizon: Horizon,
  uuid: string,
  { state, created }: LoadedExecution,
): Promise<void> {
  const before = state.behind === null ? null : await loadExecution(app, state.behind);
  if (before !== null && before.state.phase !== 'ended') return;
  const cause = await causeOf(app, uuid, created);
  const pointer = cause && pointerAt(cause, FLOWS);
  if (pointer) await react(app, horizon, pointer);
}

/** The event that begins the execution; it may be handled again. */
async function causeOf(
  app: Pick<App, 'store'>,
  uuid: string,
  { parent_uuid: parent, message_uuid: message }: LoadedExecution['created'],
): Promise<StoredRecord | undefined> {
  if (parent !== null) return endOf(app, parent);
  const stream = message === null ? operationStream.toName(uuid) : messageStream.toName(message);
  return (await app.store.read(stream, { limit: 1 }))[0];
}

const endOf = async (app: Pick<App, 'store'>, uuid: string): Promise<StoredRecord | undefined> =>
  (await app.store.read(executionStream.toName(uuid))).findLast(({ type }) => type === 'ExecutionEnded');

/** The execution has ended, but its conversation does not reflect that yet. */
async function leaveBehind(
  app: Pick<App, 'dueTimes' | 'readModels' | 'store'>,
  horizon: Horizon,
  execution: string,
): Promise<void> {
  const end = await endOf(app, execution);
  const pointer = end && pointerAt(end, FLOWS);
  if (pointer) await react(app, horizon, pointer);
}

async function react(
  app: Pick<App, 'dueTimes' | 'readModels'>,
  horizon: Horizon,
  pointer: NonNullable<ReturnType<typeof pointerAt>>,
): Promise<void> {
  const row: DueEntry = retryRow(flowReactor.group, pointer.event_id, pointer, horizon.at);
  if (horizon.nothingRanSince) return app.dueTimes.schedule([row]);
  const id = reactionId(flowReactor.group, pointer.event_id);
  const { company: company_uuid, stream } = pointer;
  await hold(app, horizon, [
    { id, kind: 'reaction', company_uuid, about: `${flowReactor.group}: ${stream}`, row },
  ]);
}
