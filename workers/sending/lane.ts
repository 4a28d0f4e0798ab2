/** The dispatcher's state of one channel: its pace, its waiting rows and its sends under way. */
import { advance, allowance, conformsAt, type Pace } from '../../domain/policies/gcra.js';
import { ceilingOf, cut, grown, type ChannelFacts, type Rate } from '../../domain/policies/rate.js';
import type { Stopped } from '../../domain/channel-controls/state.js';
import type { Clock } from '../../ports/clock.js';
import type { Lease } from '../../ports/leases.js';
import type { Urgency } from '../../application/send/queue.js';
import type { Rounds } from '../kernel/rounds.js';
import type { DueLane } from '../lanes/claims.js';
import type { Claimed, Lines } from './lines.js';

/** State of one of the channel's two due-time lanes. */
export interface Waiting extends DueLane {
  /** Entries that are scheduled and have not ended, as far as this process knows. */
  backlog: number;
}

/** Facts about the channel, and the operator's controls. */
export interface LaneFacts extends ChannelFacts {
  readonly companyUuid: string;
  readonly stopped: Stopped;
}

/** Its own times are of the monotonic clock: setting the time of day must neither delay a channel nor speed it up. */
export interface ChannelLane extends Rounds {
  readonly channelUuid: string;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** One process at a time paces a channel. */
  readonly lease: Lease;
  facts: LaneFacts;
  rate: Rate;
  tat: number;
  readonly openedAt: number;
  readonly waiting: Readonly<Record<Urgency, Waiting>>;
  /** Rows that wait for another send to the same person. */
  readonly lines: Lines;
  /** Claimed rows whose recipient is free: they go before others, as soon as the pace allows. */
  readonly ready: Claimed[];
  /** Service messages since the last marketing message. */
  passedOver: number;
  inFlight: number;
  /**
   * The channel goes to another process once its calls have ended. Until then it begins none, to keep the order per
   * person.
   */
  leaving: boolean;
  /** When this process last scheduled something for it; at first, when it was opened. */
  scheduledAt: number;
  /** When this process last claimed a row that another process must have scheduled. */
  foreignAt: number;
}

/**
 * The burst is a tenth of a second's messages, not all of them: that keeps the flow even and far below the provider's
 * ceiling.
 */
export function channelPace(ratePerSecond: number): Pace {
  if (!Number.isFinite(ratePerSecond)) return { intervalMs: 0, burst: 1 };
  return { intervalMs: 1000 / ratePerSecond, burst: Math.max(1, Math.floor(ratePerSecond / 10)) };
}

/** The pace in force at `now`. Also lets the rate grow. */
export function paceAt(lane: ChannelLane, now: number, base: number): Pace {
  lane.rate = grown(lane.rate, now, ceilingOf(base, lane.facts));
  return channelPace(lane.rate.perSecond);
}

export const mayGo = (lane: ChannelLane, now: number, pace: Pace, most: number): number =>
  allowance(lane.tat, now, pace, most);
export const nextSendAt = (lane: ChannelLane, pace: Pace): number => conformsAt(lane.tat, pace);

export function took(lane: ChannelLane, now: number, pace: Pace): void {
  lane.tat = advance(lane.tat, now, pace);
  leave(lane);
}

/** Lets nothing go before `until`. */
export function hold(lane: ChannelLane, until: number, pace: Pace): void {
  lane.tat = Math.max(lane.tat, until + (pace.burst - 1) * pace.intervalMs);
  leave(lane);
}

export function slowDown(lane: ChannelLane, now: number): void {
  lane.rate = cut(lane.rate, now);
  leave(lane);
}

/** Leaves the pace to the next holder, which may be another process: hence by the time of day. */
function leave({ lease, clock, tat, rate }: ChannelLane): void {
  const at = clock.now();
  const origin = at - clock.monotonic();
  lease.leave({ at, tat: origin + tat, per_second: rate.perSecond, grown_at: origin + rate.grownAt });
}

export const stops = (stopped: Stopped, urgency: Urgency): boolean =>
  stopped === 'everything' || (stopped === 'marketing' && urgency === 'marketing');

export const isStopped = ({ facts }: ChannelLane, urgency: Urgency): boolean => stops(facts.stopped, urgency);

export const isDue = (lane: ChannelLane, urgency: Urgency, now: number): boolean =>
  lane.waiting[urgency].nextDueAt <= now && !isStopped(lane, urgency);

/** While service messages wait, one message in this many is marketing, so that marketing does not starve either. */
const MARKETING_TURN = 10;

/** The urgency to serve next, and the most messages to serve; null when nothing is due. */
export function nextServed(
  lane: ChannelLane,
  now: number,
  limit: number,
): { readonly urgency: Urgency; readonly limit: number } | null {
  const marketing = isDue(lane, 'marketing', now);
  if (!isDue(lane, 'service', now)) return marketing ? { urgency: 'marketing', limit } : null;
  if (!marketing) return { urgency: 'service', limit };
  const before = MARKETING_TURN - 1 - lane.passedOver;
  return before <= 0
    ? { urgency: 'marketing', limit: 1 }
    : { urgency: 'service', limit: Math.min(limit, before) };
}

export function served(lane: ChannelLane, urgency: Urgency, count: number): void {
  lane.passedOver = urgency === 'marketing' ? 0 : lane.passedOver + count;
}
