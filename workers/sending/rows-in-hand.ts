/** The rows of sends that are worked on here: each is settled with its newest fence, and put back where it can't go on. */
import type { App } from '../../application/app.js';
import type { Urgency } from '../../application/send/queue.js';
import type { ClaimedEntry, Settlement } from '../../ports/due-times.js';
import type { ChannelLane } from './lane.js';
import type { Claimed } from './lines.js';
import { PassingMap } from '../../ports/passing.js';

export interface RowsInHand {
  has(entry: ClaimedEntry): boolean;
  /** Worked on from now on, or claimed anew meanwhile. */
  hold(entry: ClaimedEntry): void;
  release(entry: ClaimedEntry): void;
  /** `at`: null ends the entry; a time brings it back. */
  settle(lane: ChannelLane, urgency: Urgency, entry: ClaimedEntry, at: number | null): Promise<void>;
  /** If a store is unavailable, the claim expires, which has the same effect a little later. */
  putBack(lane: ChannelLane, claimed: Claimed, at?: number): Promise<void>;
  /** Puts back rows of one person, the earliest first: another claim must not find a later one alone. */
  putBackInOrder(lane: ChannelLane, rows: readonly Claimed[]): Promise<void>;
}

/** @param heard called when a row will be due again in a lane of the channel */
export function createRowsInHand(
  { dueTimes, logger }: Pick<App, 'dueTimes' | 'logger'>,
  heard: (lane: ChannelLane, urgency: Urgency, dueAt: number) => void,
): RowsInHand {
  /** By operation, each as last claimed. */
  const inHand = new PassingMap<string, ClaimedEntry>();

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

  async function putBack(lane: ChannelLane, { urgency, entry }: Claimed, at = entry.dueAt): Promise<void> {
    try {
      await settle(lane, urgency, entry, at);
    } catch (error) {
      logger.warn({ err: error, operation_uuid: entry.id }, 'a send could not be put back');
    }
  }

  async function putBackInOrder(lane: ChannelLane, rows: readonly Claimed[]): Promise<void> {
    for (const claimed of rows) await putBack(lane, claimed);
  }

  return {
    has: ({ id }) => inHand.has(id),
    hold: (entry) => void inHand.set(entry.id, entry),
    release: ({ id }) => void inHand.delete(id),
    settle,
    putBack,
    putBackInOrder,
  };
}
