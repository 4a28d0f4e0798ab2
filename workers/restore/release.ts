/** An operator's decision on held work: it is done after all, or it ends because it may have happened before. */
import { directCommand, type App } from '../../application/app.js';
import { createFlowEngine, type FlowDeps } from '../../application/flows/engine.js';
import { endExecution } from '../../application/flows/end.js';
import { loadExecution } from '../../application/flows/load.js';
import type { FlowRow } from '../../application/flows/queues.js';
import { parkMessage } from '../../application/parked-messages.js';
import type { Caller } from '../../application/provisioning/common.js';
import { letGo, type HeldVerdict } from '../../application/restore/held-work.js';
import { readHorizon } from '../../application/restore/horizon.js';
import type { SendPayload } from '../../application/send/queue.js';
import type { HoldRow } from '../../application/store/orders/hold.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { operationAggregate, type OperationCommand } from '../../domain/operation/decide.js';
import { orderAggregate } from '../../domain/order/decide.js';
import type { Operation } from '../../domain/operation/state.js';
import type { DueEntry } from '../../ports/due-times.js';
import { deliveries } from '../../read-models/deliveries.js';
import { heldWork, type HeldWork } from '../../read-models/held-work.js';
import type { ParkedValue } from '../../read-models/parked-messages.js';
import { closeMessage } from '../sending/close-message.js';
import { nextVersion } from '../webhooks/documents.js';
import { isPrepared } from './prepare.js';
import { HELD_DELIVERY } from './rows.js';

/** Decides one piece of work. @throws Refusal not_found; unavailable while a restore is being prepared */
export async function decideHeld(
  app: FlowDeps,
  verdict: HeldVerdict,
  id: string,
  caller: Caller,
): Promise<HeldWork> {
  await untilPrepared(app);
  const stored = await app.readModels.get(heldWork.name, id);
  if (!stored) {
    throw new Refusal('not_found', 'Nothing is held under this uuid.', { resource: 'held_work' });
  }
  await carryOut(app, verdict, stored.doc, caller);
  return stored.doc;
}

/** Decides the oldest pieces, at most `limit`; returns their number. @throws Refusal unavailable */
export async function decideOldest(
  app: FlowDeps,
  verdict: HeldVerdict,
  limit: number,
  caller: Caller,
): Promise<number> {
  await untilPrepared(app);
  const { documents } = await app.readModels.find(heldWork.name, {
    index: 'all',
    equals: [],
    order: 'asc',
    limit,
  });
  for (const { doc } of documents) await carryOut(app, verdict, doc, caller);
  return documents.length;
}

/** Before preparation ends, work may be held again, and a release would be lost. */
async function untilPrepared(app: Pick<App, 'readModels' | 'store'>): Promise<void> {
  const horizon = await readHorizon(app.store);
  if (horizon === null || (await isPrepared(app.readModels, horizon))) return;
  throw new Refusal(
    'unavailable',
    'The restore is still being prepared by a process with the role workers. Try again in a minute.',
    { retry_after_seconds: 10 },
  );
}

/** Removed from the list last: after a crash in between, the decision may be repeated. */
async function carryOut(app: FlowDeps, verdict: HeldVerdict, held: HeldWork, caller: Caller): Promise<void> {
  await VERDICTS[verdict][held.kind](app, held, caller);
  await letGo(app.readModels, [held]);
}

type CarryOut = (app: FlowDeps, held: HeldWork, caller: Caller) => Promise<void>;

const VERDICTS: Readonly<Record<HeldVerdict, Readonly<Record<HeldWork['kind'], CarryOut>>>> = {
  release: { send: releaseSend, flow: putBack, delivery: releaseDelivery, order: putBack, reaction: putBack },
  end: { send: endSend, flow: endFlow, delivery: leaveFailed, order: liftHold, reaction: park },
};

function putBack(app: Pick<App, 'clock' | 'dueTimes'>, { row }: HeldWork): Promise<void> {
  return app.dueTimes.schedule([dueNow(app, row)]);
}

const dueNow = ({ clock }: Pick<App, 'clock'>, row: DueEntry): DueEntry => ({ ...row, dueAt: clock.now() });

/** Restarts the pacing window of the send. */
async function releaseSend(
  app: Pick<App, 'clock' | 'dueTimes' | 'executor' | 'newId' | 'settings'>,
  held: HeldWork,
  caller: Caller,
): Promise<void> {
  const deadline = app.clock.now() + app.settings.pacingWindowMs;
  const state = await onOperation(
    app,
    held,
    { type: 'ReleaseSend', deadline: new Date(deadline).toISOString() },
    caller,
  );
  if (state.accepted === null) return;
  const payload: SendPayload = {
    ...(held.row.payload as SendPayload),
    // The deadline of this release, or of one that a crash interrupted.
    deadline: Date.parse(state.accepted.deadline),
  };
  await app.dueTimes.schedule([dueNow(app, { ...held.row, payload })]);
}

async function endSend(
  app: Pick<App, 'codec' | 'executor' | 'newId' | 'store'>,
  held: HeldWork,
  caller: Caller,
): Promise<void> {
  await onOperation(app, held, { type: 'EndHeldSend' }, caller);
  const { company, subject } = held.row.payload as SendPayload;
  await closeMessage(app, held.id, directCommand(app, { company, ...caller }, subject));
}

async function onOperation(
  app: Pick<App, 'executor' | 'newId'>,
  held: HeldWork,
  command: OperationCommand,
  caller: Caller,
): Promise<Operation> {
  const { company } = held.row.payload as SendPayload;
  const context = directCommand(app, { company, ...caller });
  return (await app.executor.execute(operationAggregate, held.id, command, context)).state;
}

/** An execution that has continued since, by an answer or a callback, is left alone. */
async function endFlow(app: FlowDeps, { id, row }: HeldWork, caller: Caller): Promise<void> {
  const { step, company, correlation_id: correlationId } = row.payload as FlowRow;
  const loaded = await loadExecution(app, id);
  if (loaded?.state.phase !== 'running' || loaded.state.session.step !== step) return;
  const { commandId } = directCommand(app, { company, ...caller });
  await endExecution(
    createFlowEngine(app),
    id,
    { status: 'failed', reason: 'send_outcome_unknown', details: { restored: true } },
    { company, id: commandId, correlationId },
  );
}

/** The order may have been paid in the lost part of the history: the shop confirms the payment or cancels the order. */
async function liftHold(
  app: Pick<App, 'executor' | 'newId'>,
  { id, row }: HeldWork,
  caller: Caller,
): Promise<void> {
  const { company } = row.payload as HoldRow;
  const context = directCommand(app, { company, ...caller });
  await app.executor.execute(orderAggregate, id, { type: 'LiftHold' }, context);
}

async function releaseDelivery(
  app: Pick<App, 'clock' | 'dueTimes' | 'readModels'>,
  { id, row }: HeldWork,
): Promise<void> {
  const stored = await app.readModels.get(deliveries.name, id);
  // The body was emptied because the person was erased, or the document was removed.
  if (!stored || stored.doc.body === '') return;
  if (stored.doc.last_error === HELD_DELIVERY) {
    const at = new Date(app.clock.now()).toISOString();
    await app.readModels.write(deliveries.name, [
      {
        id,
        doc: { ...stored.doc, status: 'pending', updated_at: at, next_attempt_at: at, last_error: null },
        version: nextVersion(stored.version),
      },
    ]);
  } else if (stored.doc.status !== 'pending') return;
  await app.dueTimes.schedule([dueNow(app, row)]);
}

/** Does nothing: the delivery is marked as failed already. `recado deliveries redeliver` sends it again. */
async function leaveFailed(): Promise<void> {}

/** Parks it where an operator finds it: `recado parked retry` runs it after all. */
function park(app: Pick<App, 'clock' | 'readModels'>, { row }: HeldWork): Promise<void> {
  return parkMessage(app, {
    id: row.id,
    group: row.queue.slice(row.queue.indexOf(':') + 1),
    value: row.payload['value'] as ParkedValue,
    reason: 'It was held after a restore, and an operator ended it: it may have happened before.',
  });
}
