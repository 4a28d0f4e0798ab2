/**
 * Sends whose outcome was lost wait here for a status webhook. When their window ends without one, they fail with
 * `send_outcome_unknown`: honest, and never a second message. One that has come and lies in a queue of ours counts as
 * come: nobody is given up before what WhatsApp had told by then was read.
 */
import { reaction, type App } from '../../application/app.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { every, type Rounds } from '../kernel/every.js';
import type { InboundBarrier } from '../kernel/inbound-barrier.js';
import { closeMessage } from './close-message.js';
import { RECONCILE_QUEUE, type SendPayload } from '../../application/send/queue.js';

const POLL_MS = 1_000;
const LEASE_MS = 30_000;
/** After a store was away, for the process that made the call and lives: it asks again every few seconds. */
const KNOWN_ELSEWHERE_MS = 30_000;
/**
 * For webhooks that could not be read at first: two tries once a store is back. Longer ones wait for something that may
 * never come.
 */
const READ_AGAIN_MS = 120_000;

export function startReconciler(
  app: App,
  inbound: Pick<InboundBarrier, 'untilRead' | 'toReadAgain'>,
): Rounds {
  const { clock, dueTimes } = app;
  // The provider repeats what it could not deliver while nobody was here to listen: an outage must not use the window up.
  let notBefore = clock.monotonic() + app.settings.reconcileWindowMs;

  /** A store did not answer in the last round, or a read model was behind. */
  let away = false;

  async function round(stopping: () => boolean): Promise<void> {
    try {
      await look(stopping);
    } catch (error) {
      away = true;
      throw error;
    }
  }

  async function look(stopping: () => boolean): Promise<void> {
    if (clock.monotonic() < notBefore) return;
    const now = clock.now();
    const ended = (await dueTimes.lanes(RECONCILE_QUEUE, now)).filter(({ nextDueAt }) => nextDueAt <= now);
    if (ended.length === 0 || !(await inbound.untilRead(stopping))) return;
    if (away) {
      away = false;
      notBefore = clock.monotonic() + KNOWN_ELSEWHERE_MS;
      return;
    }
    const patience = (await inbound.toReadAgain()) > 0 ? READ_AGAIN_MS : 0;
    for (const { lane } of ended) {
      if (stopping()) return;
      const due = await dueTimes.claim({
        queue: RECONCILE_QUEUE,
        lane,
        now: now - patience,
        limit: 100,
        leaseMs: patience + LEASE_MS,
      });
      await Promise.all(
        due.map(async ({ queue, id, fence, payload }) => {
          const dueAt = await giveUp(id, payload as SendPayload);
          await dueTimes.settle([
            dueAt === null ? { queue, id, fence, then: 'done' } : { queue, id, fence, then: 'again', dueAt },
          ]);
        }),
      );
    }
  }

  /** Answers when to look again: the row may be of an attempt that was settled, and another one was lost since. */
  async function giveUp(operationUuid: string, payload: SendPayload): Promise<number | null> {
    const { state: found } = await app.executor.load(operationAggregate, operationUuid);
    const until = Date.parse(found.reconcileUntil ?? '');
    if (found.phase === 'unknown' && until > clock.now()) return until;
    const context = reaction(payload, 'sending', `give-up/${found.attempt}`, payload.subject);
    const { state } = await app.executor.execute(
      operationAggregate,
      operationUuid,
      { type: 'GiveUpReconciling', attempt: found.attempt },
      context,
    );
    if (state.phase === 'unknown') return Date.parse(state.reconcileUntil!);
    // Also when it had ended before: a crash may have come in between.
    await closeMessage(app, operationUuid, context);
    return null;
  }

  return every(app, POLL_MS, 'reconciling sends', round);
}
