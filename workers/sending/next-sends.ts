/** Which sends of a channel are claimed next, and how many: no more than may be sent now, except those that have to expire. */
import type { App } from '../../application/app.js';
import { laneName, URGENCIES, type Urgency } from '../../application/send/queue.js';
import type { ClaimedEntry } from '../../ports/due-times.js';
import type { Next, Turn } from '../lanes/claims.js';
import { isStopped, mayGo, nextServed, nextSendAt, paceAt, served, type ChannelLane } from './lane.js';
import type { ChannelLanes } from './lanes.js';
import { roomFor } from './shares.js';

const MAX_CLAIM = 64;

/** The calls that may be under way at once, over all channels. Rows that claims under way may return count too. */
export interface CallRoom {
  readonly max: number;
  taken(): number;
  inFlight(): number;
  ask(rows: number): void;
  /** The claim for as many rows has ended. */
  answered(rows: number): void;
  begins(): void;
  ends(): void;
}

export function createCallRoom(max: number): CallRoom {
  let inFlight = 0;
  let asked = 0;
  return {
    max,
    taken: () => inFlight + asked,
    inFlight: () => inFlight,
    ask: (rows) => void (asked += rows),
    answered: (rows) => void (asked -= rows),
    begins: () => void (inFlight += 1),
    ends: () => void (inFlight -= 1),
  };
}

export interface NextSendsDeps {
  readonly lanes: ChannelLanes;
  readonly room: CallRoom;
  /** Works on a row that is claimed already and waited for its turn. */
  readonly start: (lane: ChannelLane, urgency: Urgency, row: ClaimedEntry) => void;
}

export function createNextSends(
  { clock, settings }: Pick<App, 'clock' | 'settings'>,
  { lanes, room, start }: NextSendsDeps,
): (lane: ChannelLane) => Next {
  const stoppedForMs = settings.pacingWindowMs + 1;

  /**
   * Sends that an operator has stopped must still expire in time: claims rows that are a whole window old, of any
   * process.
   */
  function longStopped(lane: ChannelLane): Next {
    const dueBy = clock.now() - stoppedForMs;
    const urgency = URGENCIES.find((one) => isStopped(lane, one) && lane.waiting[one].nextDueAt <= dueBy);
    if (urgency === undefined) return null;
    const limit = Math.min(MAX_CLAIM, room.max - room.taken());
    return limit > 0 ? ask(lane, urgency, limit, dueBy) : 'crowded';
  }

  /** Claims no more than may be sent right now, so that waiting rows stay where other processes see them. */
  function inPace(lane: ChannelLane): Next {
    for (;;) {
      const now = clock.now();
      if (lane.ready.length === 0 && nextServed(lane, now, 1) === null) return whenDue(lane, now);
      const free = Math.min(MAX_CLAIM, roomFor(lane, lanes.all(), room.taken(), room.max, now));
      if (free <= 0) return 'crowded';
      const pace = paceAt(lane, clock.monotonic(), settings.channelRate);
      const most = mayGo(lane, clock.monotonic(), pace, free);
      if (most === 0) return { inMs: nextSendAt(lane, pace) - clock.monotonic() };
      const ready = lane.ready.shift();
      if (!ready) {
        const { urgency, limit } = nextServed(lane, now, most)!;
        return ask(lane, urgency, limit);
      }
      served(lane, ready.urgency, 1);
      start(lane, ready.urgency, ready.entry);
    }
  }

  function ask(lane: ChannelLane, urgency: Urgency, limit: number, dueBy?: number): Turn {
    room.ask(limit);
    return { lane: lane.waiting[urgency], name: laneName(lane.channelUuid, urgency), limit, dueBy };
  }

  return (lane) => (lane.leaving || !lane.lease.held() ? null : (longStopped(lane) ?? inPace(lane)));
}

function whenDue(lane: ChannelLane, now: number): Next {
  const may = URGENCIES.filter((urgency) => !isStopped(lane, urgency));
  const inMs = Math.min(...may.map((urgency) => lane.waiting[urgency].nextDueAt)) - now;
  return inMs < Infinity ? { inMs } : null;
}
