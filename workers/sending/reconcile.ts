/**
 * Sends whose outcome was lost wait here for a status webhook. When their window ends without one, they fail with
 * `send_outcome_unknown`: honest, and never a second message. One that has come and lies in a queue of ours counts as
 * come: nobody is given up before what WhatsApp had told by then was read.
 */
import { reaction, type App } from '../../application/app.js';
import { RECONCILE_QUEUE, type SendPayload } from '../../application/send/queue.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import type { ClaimedEntry } from '../../ports/due-times.js';
import type { Rounds } from '../kernel/every.js';
import type { InboundBarrier } from '../kernel/inbound-barrier.js';
import { createTrouble } from '../kernel/trouble.js';
import { inBatches } from '../lanes/policy.js';
import { startScheduler, type End } from '../lanes/scheduler.js';
import { closeMessage } from './close-message.js';

const POLL_MS = 1_000;
const LEASE_MS = 30_000;
const AT_ONCE = 100;
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
  const { clock } = app;
  const trouble = createTrouble(app, 'reconciling sends');
  // The provider repeats what it could not deliver while nobody was here to listen: an outage must not use the window up.
  let notBefore = clock.monotonic() + app.settings.reconcileWindowMs;
  /** A store did not answer since the last look, or a read model was behind. */
  let away = false;

  /** What WhatsApp had told of these sends by `now` was read. */
  async function readBy(now: number, stopping: () => boolean): Promise<number | null> {
    if (clock.monotonic() < notBefore || !(await inbound.untilRead(stopping))) return null;
    if (away) {
      away = false;
      notBefore = clock.monotonic() + KNOWN_ELSEWHERE_MS;
      return null;
    }
    return (await inbound.toReadAgain()) > 0 ? now - READ_AGAIN_MS : now;
  }

  /** Answers when to look again: the row may be of an attempt that was settled, and another one was lost since. */
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
    // Also when it had ended before: a crash may have come in between.
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
