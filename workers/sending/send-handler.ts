/**
 * Processes a row that was claimed because its channel may send. The row waits for its recipient's pace, or becomes one
 * attempt. Then it is settled, and a slowdown that the provider asked for is applied.
 */
import type { App } from '../../application/app.js';
import { RECONCILE_QUEUE, type SendPayload, type Urgency } from '../../application/send/queue.js';
import { THROUGHPUT_REACHED } from '../../domain/policies/provider-errors.js';
import type { ClaimedEntry, Settlement } from '../../ports/due-times.js';
import { attemptSend } from './attempt.js';
import { createBegunAttempts } from './begun.js';
import { hold, isStopped, paceAt, slowDown, took, type ChannelLane } from './lane.js';
import type { ClassifiedOutcome } from './outcome.js';
import { recipientOf, type Claimed } from './lines.js';
import { createRecipients } from './recipients.js';
import type { SendDisposition } from './record.js';
import { showWaitForRecipient } from './show-waiting.js';

/** Delay before a row comes back whose work failed on our side. */
const AGAIN_MS = 1_000;

export interface SendHandlerOptions {
  /** Called when a row will be due again in a lane of the channel. */
  readonly heard: (lane: ChannelLane, urgency: Urgency, dueAt: number) => void;
  /** The lane under which the channel is paced now; undefined where this process does not hold it. */
  readonly laneOf: (channelUuid: string) => ChannelLane | undefined;
  /** Called when a row is ready that waited for another one to the same person. */
  readonly onReady: (lane: ChannelLane) => void;
  readonly onStep?: ((step: SendDisposition, payload: SendPayload) => void) | undefined;
  /** Other processes may send too. Default false. */
  readonly shared?: boolean;
  /** True once the process is shutting down. */
  readonly ending: () => boolean;
}

export interface SendHandler {
  /** Resolves when the row is settled, or waits for another one to the same person; never rejects. */
  take(lane: ChannelLane, urgency: Urgency, entry: ClaimedEntry): Promise<void>;
  /** This process no longer holds the channel: rows that wait here go back to where others see them. */
  letGo(lane: ChannelLane): Promise<void>;
}

export function createSendHandler(
  app: App,
  { heard, laneOf, onReady, onStep, shared = false, ending }: SendHandlerOptions,
): SendHandler {
  const { clock, dueTimes, logger } = app;
  const recipients = createRecipients(app);
  const begun = createBegunAttempts();
  /** Rows being processed here, by operation, each as last claimed. */
  const inHand = new Map<string, ClaimedEntry>();
  const paceNow = (lane: ChannelLane) => paceAt(lane, clock.monotonic(), app.settings.channelRate);

  async function inTurnOfRecipient(lane: ChannelLane, urgency: Urgency, entry: ClaimedEntry): Promise<void> {
    const { subject } = entry.payload as SendPayload;
    const waitMs = recipients.opensAt(lane.channelUuid, subject) - clock.monotonic();
    if (waitMs > 0) return deferForRecipient(lane, urgency, entry, waitMs);
    recipients.took(lane.channelUuid, subject);
    return attempt(lane, urgency, entry);
  }

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
      await settle(lane, urgency, entry, step.kind === 'again' ? step.at : null);
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
      await settle(lane, urgency, entry, clock.now() + AGAIN_MS).catch(() => undefined);
    }
  }

  async function deferForRecipient(
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
      await settle(lane, urgency, entry, until);
    } catch (error) {
      logger.error({ err: error, operation_uuid: entry.id }, 'deferring a send failed');
      await settle(lane, urgency, entry, clock.now() + AGAIN_MS).catch(() => undefined);
    }
  }

  /** `at`: null ends the entry; a time brings it back. */
  async function settle(
    lane: ChannelLane,
    urgency: Urgency,
    entry: ClaimedEntry,
    at: number | null,
  ): Promise<void> {
    const { queue, id, fence } = inHand.get(entry.id) ?? entry;
    const settlement: Settlement =
      at === null ? { queue, id, fence, then: 'done' } : { queue, id, fence, then: 'again', dueAt: at };
    const [held] = await dueTimes.settle([settlement]);
    // Another process claimed the row, and may have ended it without knowing this result.
    if (at !== null && !held) await dueTimes.schedule([{ ...entry, dueAt: at }]);
    const waiting = lane.waiting[urgency];
    if (at === null) waiting.backlog = Math.max(0, waiting.backlog - 1);
    else heard(lane, urgency, at);
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

  async function take(lane: ChannelLane, urgency: Urgency, entry: ClaimedEntry): Promise<void> {
    const { subject } = entry.payload as SendPayload;
    const now = clock.monotonic();
    const waitMs = recipients.opensAt(lane.channelUuid, subject) - now;
    if (waitMs > 0) return deferForRecipient(lane, urgency, entry, waitMs);
    took(lane, now, paceNow(lane));
    if (!recipients.isKnown(lane.channelUuid, subject, lane.openedAt)) {
      await recipients.recall(lane.channelUuid, subject, entry.id);
    }
    return inTurnOfRecipient(lane, urgency, entry);
  }

  /** The row under way has ended: the next of its person follows, under the lease that the channel has now. */
  async function follow(ended: ChannelLane, subject: string): Promise<void> {
    const next = ended.lines.next(subject);
    if (!next) return;
    const lane = laneOf(ended.channelUuid);
    if (lane && !ending() && lane.lease.held() && !isStopped(lane, next.urgency)) {
      lane.ready.push(next);
      return onReady(lane);
    }
    await putBackInOrder(ended, [next, ...ended.lines.disband(subject)]);
  }

  /** If a store is unavailable, the claim expires, which has the same effect a little later. */
  async function putBack(lane: ChannelLane, { urgency, entry }: Claimed, at = entry.dueAt): Promise<void> {
    try {
      await settle(lane, urgency, entry, at);
    } catch (error) {
      logger.warn({ err: error, operation_uuid: entry.id }, 'a send could not be put back');
    }
  }

  /** Puts back rows of one person, the earliest first: another claim must not find a later one alone. */
  async function putBackInOrder(lane: ChannelLane, rows: readonly Claimed[]): Promise<void> {
    for (const claimed of rows) await putBack(lane, claimed);
  }

  const hasExpired = ({ payload }: ClaimedEntry): boolean => clock.now() > (payload as SendPayload).deadline;

  async function inLine(lane: ChannelLane, claimed: Claimed): Promise<void> {
    const { urgency, entry } = claimed;
    const place = lane.lines.enter(claimed);
    if (place === 'waits') return;
    if (place !== 'goes') return putBack(lane, claimed, place.putBack);
    inHand.set(entry.id, entry);
    try {
      if (hasExpired(entry)) await attempt(lane, urgency, entry);
      // The row was claimed before the operator stopped the channel.
      else if (isStopped(lane, urgency)) await putBack(lane, claimed);
      else await take(lane, urgency, entry);
    } finally {
      inHand.delete(entry.id);
      await follow(lane, recipientOf(entry));
    }
  }

  return {
    async take(lane, urgency, entry) {
      // The claim expired while a store was unavailable. Already running here: adopt the newer fence, since the work
      // under way knows the most of the row.
      if (inHand.has(entry.id)) return void inHand.set(entry.id, entry);
      if (!hasExpired(entry) || lane.lines.goes(entry)) return inLine(lane, { urgency, entry });
      // An expired send costs no pace and waits for nobody: such rows are cleared as fast as they can be recorded.
      inHand.set(entry.id, entry);
      try {
        await attempt(lane, urgency, entry);
      } finally {
        inHand.delete(entry.id);
      }
    },
    async letGo(lane) {
      const ready = lane.ready.splice(0);
      const people = ready.map((claimed) => [claimed, ...lane.lines.disband(recipientOf(claimed.entry))]);
      await Promise.all([...people, ...lane.lines.clear()].map((rows) => putBackInOrder(lane, rows)));
    },
  };
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
