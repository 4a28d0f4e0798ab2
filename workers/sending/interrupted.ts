/** Attempts that ended before there was an answer: WhatsApp was not called, or it is unknown whether it was. */
import type { App } from '../../application/app.js';
import type { CommandContext } from '../../application/execute.js';
import { releaseSlots } from '../../application/send/release.js';
import { operationAggregate, type AttemptOutcome } from '../../domain/operation/decide.js';
import { isSettled } from '../../domain/operation/state.js';
import { closeMessage } from './close-message.js';
import type { SendDisposition } from './record.js';

/**
 * The attempt is on record and the provider was not called, which only this process knows. Either another process has
 * recorded its outcome as lost, or this process is shutting down. The send may be tried again.
 */
export async function notCalled(
  app: Pick<App, 'clock' | 'codec' | 'executor' | 'indexSecret' | 'store'>,
  operationUuid: string,
  attempt: number,
  context: CommandContext,
): Promise<SendDisposition> {
  const at = app.clock.now();
  const outcome: AttemptOutcome = {
    kind: 'postponed',
    reason: 'not_called',
    providerCode: null,
    retryAt: new Date(at).toISOString(),
  };
  const after = { ...context, commandId: `${context.commandId}/not-called` };
  const command = { type: 'RecordOutcome', attempt, outcome } as const;
  const { state } = await app.executor.execute(operationAggregate, operationUuid, command, after);
  if (!isSettled(state)) return { kind: 'again', at, judged: null };
  await closeMessage(app, operationUuid, after);
  await releaseSlots(app, operationUuid, state, after);
  return { kind: 'done', judged: null };
}

/** The process died, or lost its lease, between the attempt and its outcome. */
export async function lostOutcome(
  app: Pick<App, 'clock' | 'executor' | 'settings'>,
  operationUuid: string,
  attempt: number,
  context: CommandContext,
): Promise<SendDisposition> {
  const until = app.clock.now() + app.settings.reconcileWindowMs;
  const outcome: AttemptOutcome = {
    kind: 'unknown',
    reason: 'the process ended before the answer was recorded',
    reconcileUntil: new Date(until).toISOString(),
  };
  const { state } = await app.executor.execute(
    operationAggregate,
    operationUuid,
    { type: 'RecordOutcome', attempt, outcome },
    { ...context, commandId: `${context.commandId}/lost` },
  );
  return state.phase === 'unknown'
    ? { kind: 'reconcile', until: Date.parse(state.reconcileUntil!) }
    : { kind: 'done', judged: null };
}
