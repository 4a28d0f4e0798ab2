/**
 * Processes a row that was claimed because its channel may send: in the line of its recipient, one at a time, and no sooner
 * than the recipient's pace allows.
 */
import type { App } from '../../application/app.js';
import type { SendPayload, Urgency } from '../../application/send/queue.js';
import type { ClaimedEntry } from '../../ports/due-times.js';
import { isStopped, paceAt, took, type ChannelLane } from './lane.js';
import { recipientOf, type Claimed } from './lines.js';
import { createRecipients } from './recipients.js';
import type { SendDisposition } from './record.js';
import { createRowsInHand } from './rows-in-hand.js';
import { createSendWork } from './send-work.js';
import type { AttemptDeps } from './attempt.js';

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
  app: AttemptDeps & Pick<App, 'logger'>,
  { heard, laneOf, onReady, onStep, shared = false, ending }: SendHandlerOptions,
): SendHandler {
  const { clock } = app;
  const recipients = createRecipients(app);
  const rows = createRowsInHand(app, heard);
  const work = createSendWork(app, { rows, recipients, shared, ending, onStep });
  const paceNow = (lane: ChannelLane) => paceAt(lane, clock.monotonic(), app.settings.channelRate);

  async function inTurnOfRecipient(lane: ChannelLane, urgency: Urgency, entry: ClaimedEntry): Promise<void> {
    const { subject } = entry.payload as SendPayload;
    const waitMs = recipients.opensAt(lane.channelUuid, subject) - clock.monotonic();
    if (waitMs > 0) return work.defer(lane, urgency, entry, waitMs);
    recipients.took(lane.channelUuid, subject);
    return work.attempt(lane, urgency, entry);
  }

  async function take(lane: ChannelLane, urgency: Urgency, entry: ClaimedEntry): Promise<void> {
    const { subject } = entry.payload as SendPayload;
    const now = clock.monotonic();
    const waitMs = recipients.opensAt(lane.channelUuid, subject) - now;
    if (waitMs > 0) return work.defer(lane, urgency, entry, waitMs);
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
    await rows.putBackInOrder(ended, [next, ...ended.lines.disband(subject)]);
  }

  const hasExpired = ({ payload }: ClaimedEntry): boolean => clock.now() > (payload as SendPayload).deadline;

  async function inLine(lane: ChannelLane, claimed: Claimed): Promise<void> {
    const { urgency, entry } = claimed;
    const place = lane.lines.enter(claimed);
    if (place === 'waits') return;
    if (place !== 'goes') return rows.putBack(lane, claimed, place.putBack);
    rows.hold(entry);
    try {
      if (hasExpired(entry)) await work.attempt(lane, urgency, entry);
      // The row was claimed before the operator stopped the channel.
      else if (isStopped(lane, urgency)) await rows.putBack(lane, claimed);
      else await take(lane, urgency, entry);
    } finally {
      rows.release(entry);
      await follow(lane, recipientOf(entry));
    }
  }

  return {
    async take(lane, urgency, entry) {
      // The claim expired while a store was unavailable. Already running here: adopt the newer fence, since the work
      // under way knows the most of the row.
      if (rows.has(entry)) return rows.hold(entry);
      if (!hasExpired(entry) || lane.lines.goes(entry)) return inLine(lane, { urgency, entry });
      // An expired send costs no pace and waits for nobody: such rows are cleared as fast as they can be recorded.
      rows.hold(entry);
      try {
        await work.attempt(lane, urgency, entry);
      } finally {
        rows.release(entry);
      }
    },
    async letGo(lane) {
      const ready = lane.ready.splice(0);
      const people = ready.map((claimed) => [claimed, ...lane.lines.disband(recipientOf(claimed.entry))]);
      await Promise.all([...people, ...lane.lines.clear()].map((line) => rows.putBackInOrder(lane, line)));
    },
  };
}
