/**
 * Sends whose outcome was lost wait here for a status webhook. When their window ends without one, they fail with
 * `send_outcome_unknown`: honest, and never a second message.
 */
import type { App } from '../../application/app.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { every, type Rounds } from '../kernel/every.js';
import { closeMessage } from './close-message.js';
import { RECONCILE_QUEUE, type SendPayload } from '../../application/send/queue.js';

const POLL_MS = 1_000;
const LEASE_MS = 30_000;

export function startReconciler(app: App): Rounds {
  const { clock, dueTimes } = app;
  // The provider repeats what it could not deliver while nobody was here to listen: an outage must not use the window up.
  const notBefore = clock.now() + app.settings.reconcileWindowMs;

  async function round(): Promise<void> {
    const now = clock.now();
    if (now < notBefore) return;
    for (const { lane, nextDueAt } of await dueTimes.lanes(RECONCILE_QUEUE, now)) {
      if (nextDueAt > now) continue;
      const due = await dueTimes.claim({ queue: RECONCILE_QUEUE, lane, now, limit: 100, leaseMs: LEASE_MS });
      await Promise.all(
        due.map(async ({ queue, id, fence, payload }) => {
          await giveUp(id, payload as SendPayload);
          await dueTimes.settle([{ queue, id, fence, then: 'done' }]);
        }),
      );
    }
  }

  async function giveUp(operationUuid: string, payload: SendPayload): Promise<void> {
    const context = {
      company: payload.company,
      actor: 'worker:sending',
      commandId: `${payload.event_id}/give-up`,
      correlationId: payload.correlation_id,
      causationId: payload.event_id,
      subject: payload.subject,
    };
    const { state } = await app.executor.execute(
      operationAggregate,
      operationUuid,
      { type: 'GiveUpReconciling' },
      context,
    );
    // Also when it had ended before: a crash may have come in between.
    await closeMessage(app, operationUuid, state, context);
  }

  return every(app, POLL_MS, 'reconciling sends', round);
}
