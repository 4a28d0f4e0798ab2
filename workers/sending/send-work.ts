/**
 * What becomes of one row: an attempt, or a wait for its recipient's pace. Then the row is settled, and a slowdown that
 * the provider asked for is applied.
 */
import type { App } from '../../application/app.js';
import { RECONCILE_QUEUE, type SendPayload, type Urgency } from '../../application/send/queue.js';
import { THROUGHPUT_REACHED } from '../../domain/policies/provider-errors.js';
import type { ClaimedEntry } from '../../ports/due-times.js';
import { attemptSend, type AttemptDeps } from './attempt.js';
import { createBegunAttempts } from './begun.js';
import { hold, isStopped, paceAt, slowDown, type ChannelLane } from './lane.js';
import { recipientOf } from './lines.js';
import type { ClassifiedOutcome } from './outcome.js';
import type { Recipients } from './recipients.js';
import type { SendDisposition } from './record.js';
import type { RowsInHand } from './rows-in-hand.js';
import { showWaitForRecipient } from './show-waiting.js';

/** Delay before a row comes back whose work failed on our side. */
const AGAIN_MS = 1_000;

export interface SendWorkDeps {
  readonly rows: RowsInHand;
  readonly recipients: Recipients;
  /** Other processes may send too. */
  readonly shared: boolean;
  /** True once the process is shutting down. */
  readonly ending: () => boolean;
  readonly onStep?: ((step: SendDisposition, payload: SendPayload) => void) | undefined;
}

export interface SendWork {
  attempt(lane: ChannelLane, urgency: Urgency, entry: ClaimedEntry): Promise<void>;
  /** The recipient may be sent to no earlier than in `waitMs`. */
  defer(lane: ChannelLane, urgency: Urgency, entry: ClaimedEntry, waitMs: number): Promise<void>;
}

export function createSendWork(
  app: AttemptDeps & Pick<App, 'logger'>,
  { rows, recipients, shared, ending, onStep }: SendWorkDeps,
): SendWork {
  const { clock, dueTimes, logger } = app;
  const begun = createBegunAttempts();
  const paceNow = (lane: ChannelLane) => paceAt(lane, clock.monotonic(), app.settings.channelRate);

  async function attempt(lane: ChannelLane, urgency: Urgency, entry: ClaimedEntry): Promise<void> {
    const payload = entry.payload as SendPayload;
    try {
      const step = await attemptSend(app, {
        operationUuid: entry.id,
        payload,
        fence: entry.fence,
        mayBeElsewhere: shared && entry.claims === 1,
        dueAt: entry.dueAt,
        channelIntervalMs: paceNow(lane).intervalMs,
        waitsFor: isStopped(lane, urgency) ? 'channel_stopped' : 'channel_pace',
        begun,
        mayCall: () => !ending(),
        ending,
      });
      if (step.kind === 'reconcile') {
        // Before the entry ends: a crash in between repeats this, which changes nothing.
        await dueTimes.schedule([{ ...entry, queue: RECONCILE_QUEUE, dueAt: step.until }]);
      } else if (step.judged) {
        holdBack(lane, payload, step.judged);
      }
      await rows.settle(lane, urgency, entry, step.kind === 'again' ? step.at : null);
      onStep?.(step, payload);
      logger.info(sendLine(entry, payload, step), 'send');
    } catch (error) {
      logger.error(
        {
          err: error,
          operation_uuid: entry.id,
          correlation_id: payload.correlation_id,
          event_id: payload.event_id,
        },
        'sending failed on our side; it is tried again',
      );
      await rows.settle(lane, urgency, entry, clock.now() + AGAIN_MS).catch(() => undefined);
    }
  }

  async function defer(
    lane: ChannelLane,
    urgency: Urgency,
    entry: ClaimedEntry,
    waitMs: number,
  ): Promise<void> {
    // At the deadline at the latest, so that the send expires in time.
    const until = Math.min(Math.ceil(clock.now() + waitMs), (entry.payload as SendPayload).deadline + 1);
    lane.lines.comesBack(recipientOf(entry), until);
    try {
      await showWaitForRecipient(app, entry, until);
      await rows.settle(lane, urgency, entry, until);
    } catch (error) {
      logger.error({ err: error, operation_uuid: entry.id }, 'deferring a send failed');
      await rows.settle(lane, urgency, entry, clock.now() + AGAIN_MS).catch(() => undefined);
    }
  }

  /** The provider asked for a slower pace: for this recipient only, or for the number as a whole. */
  function holdBack(lane: ChannelLane, { subject }: SendPayload, judged: ClassifiedOutcome): void {
    const { outcome } = judged;
    if (outcome.kind === 'postponed' && outcome.providerCode === THROUGHPUT_REACHED) {
      slowDown(lane, clock.monotonic());
    }
    if (!judged.hold) return;
    const { scope } = judged.hold;
    const until = clock.monotonic() + (judged.hold.until - clock.now());
    if (scope === 'pair') recipients.hold(lane.channelUuid, subject, until);
    else if (scope === 'number' || scope === 'account' || scope === 'app') hold(lane, until, paceNow(lane));
  }

  return { attempt, defer };
}

/** Log line of a step; it does not name the recipient. */
function sendLine(entry: ClaimedEntry, payload: SendPayload, step: SendDisposition): object {
  const judged = step.kind === 'reconcile' ? null : step.judged;
  return {
    operation_uuid: entry.id,
    correlation_id: payload.correlation_id,
    event_id: payload.event_id,
    company: payload.company,
    step: step.kind,
    result: step.kind === 'reconcile' ? 'unknown' : judged?.outcome.kind,
    error_code: judged?.outcome.kind === 'failed' ? judged.outcome.code : refusedOf(step),
    provider_code: judged?.providerError?.code,
  };
}

const refusedOf = (step: SendDisposition): string | undefined =>
  step.kind === 'done' ? step.refused : undefined;
