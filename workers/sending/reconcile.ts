/**
 * Sends whose outcome was lost wait here for a status webhook. When their window ends without one, they fail with
 * `send_outcome_unknown`: honest, and never a second message. A webhook that has arrived and is still in one of our
 * queues counts as arrived. A send is given up only after all that WhatsApp had reported by then was read.
 */
import { reaction, type App } from '../../application/app.js';
import { RECONCILE_QUEUE, type SendPayload } from '../../application/send/queue.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import type { ClaimedEntry } from '../../ports/due-times.js';
import type { Rounds } from '../kernel/every.js';
import type { InboundBarrier } from '../kernel/inbound-barrier.js';
import { createThrottledErrorLog } from '../kernel/throttled-error-log.js';
import { inBatches } from '../lanes/policy.js';
import { startScheduler, type End } from '../lanes/scheduler.js';
import { closeMessage } from './close-message.js';

const POLL_MS = 1_000;
const LEASE_MS = 30_000;
const AT_ONCE = 100;
/**
 * Grace after a store was unavailable, for a process that made the call and still lives: it retries every few seconds.
 */
const KNOWN_ELSEWHERE_MS = 30_000;
/**
 * Grace for webhooks that could not be read at first: two retries once a store is back. Webhooks that fail for longer
 * wait for something that may never come.
 */
const READ_AGAIN_MS = 120_000;

export function startReconciler(
  app: Pick<App, 'clock' | 'codec' | 'dueTimes' | 'executor' | 'logger' | 'settings' | 'store'>,
  inbound: Pick<InboundBarrier, 'untilRead' | 'toReadAgain'>,
): Rounds {
  const { clock } = app;
  const trouble = createThrottledErrorLog(app, 'reconciling sends');
  // The provider repeats what it could not deliver while no process was running: an outage must not use up the window.
  let notBefore = clock.monotonic() + app.settings.reconcileWindowMs;
  /** A store failed since the last poll, or a read model was behind. */
  let away = false;

  /**
   * The due time up to which sends may be given up: all that WhatsApp had reported of them was read. Null: none for
   * now.
   */
  async function readBy(now: number, stopping: () => boolean): Promise<number | null> {
    if (clock.monotonic() < notBefore || !(await inbound.untilRead(stopping))) return null;
    if (away) {
      away = false;
      notBefore = clock.monotonic() + KNOWN_ELSEWHERE_MS;
      return null;
    }
    return (await inbound.toReadAgain()) > 0 ? now - READ_AGAIN_MS : now;
  }

  /**
   * Returns when to check again: the row may belong to an attempt that was settled, while another one was lost since.
   */
  async function giveUp({ id: operationUuid, payload: sent }: ClaimedEntry): Promise<End> {
    const payload = sent as SendPayload;
    const { state: found } = await app.executor.load(operationAggregate, operationUuid);
    const until = Date.parse(found.reconcileUntil ?? '');
    if (found.phase === 'unknown' && until > clock.now()) return { dueAt: until };
    const context = reaction(payload, 'sending', `give-up/${found.attempt}`, payload.subject);
    const { state } = await app.executor.execute(
      operationAggregate,
      operationUuid,
      { type: 'GiveUpReconciling', attempt: found.attempt },
      context,
    );
    if (state.phase === 'unknown') return { dueAt: Date.parse(state.reconcileUntil!) };
    // Also when the operation had already ended: a crash may have come in between.
    await closeMessage(app, operationUuid, context);
    return 'done';
  }

  return startScheduler(app, {
    queue: RECONCILE_QUEUE,
    policy: inBatches(AT_ONCE),
    leaseMs: LEASE_MS,
    pollMs: POLL_MS,
    dueBy: readBy,
    work: giveUp,
    trouble: {
      ...trouble,
      failed(error) {
        away = true;
        trouble.failed(error);
      },
    },
  });
}
