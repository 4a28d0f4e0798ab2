/** One channel as the dispatcher sees it: its pace, what waits, what is under way. */
import { advance, allowance, conformsAt, type Pace } from '../../domain/policies/gcra.js';
import { ceilingOf, cut, grown, type ChannelFacts, type Rate } from '../../domain/policies/rate.js';
import type { Stopped } from '../../domain/sending/state.js';
import type { Clock } from '../../ports/clock.js';
import type { Lease } from '../../ports/leases.js';
import type { Urgency } from '../../application/send/queue.js';
import type { Rounds } from '../kernel/rounds.js';
import type { DueLane } from '../lanes/claims.js';
import type { Claimed, Lines } from './lines.js';

/** What is known of one of its two due-time lanes. */
export interface Waiting extends DueLane {
  /** Entries scheduled and not ended, as far as this process knows. */
  backlog: number;
}

/** What the channel is, and what the operator says of it. */
export interface LaneFacts extends ChannelFacts {
  readonly companyUuid: string;
  readonly stopped: Stopped;
}

/** Its own times are of the monotonic clock: setting the time of day must neither hold a channel up nor let it hurry. */
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
  /** What waits for another send to the same person. */
  readonly lines: Lines;
  /** Claimed rows whose person is free: they go before others, as soon as the pace allows. */
  readonly ready: Claimed[];
  /** Service messages since the last of marketing, while some was waiting. */
  passedOver: number;
  inFlight: number;
  /** It goes to another process as soon as its calls have ended, and begins none until then: order is kept per person. */
  leaving: boolean;
  /** When something was last scheduled for it in this process. */
  scheduledAt: number;
  /** When something was last claimed that another process must have scheduled. */
  foreignAt: number;
}

/** A second's worth may not go at once: a tenth keeps the flow even and stays far from the provider's ceiling. */
export function channelPace(ratePerSecond: number): Pace {
  if (!Number.isFinite(ratePerSecond)) return { intervalMs: 0, burst: 1 };
  return { intervalMs: 1000 / ratePerSecond, burst: Math.max(1, Math.floor(ratePerSecond / 10)) };
}

/** The pace in force at `now`; the rate grows on the way. */
export function paceAt(lane: ChannelLane, now: number, base: number): Pace {
  lane.rate = grown(lane.rate, now, ceilingOf(base, lane.facts));
  return channelPace(lane.rate.perSecond);
}

export const mayGo = (lane: ChannelLane, now: number, pace: Pace, most: number): number =>
  allowance(lane.tat, now, pace, most);
export const nextTurn = (lane: ChannelLane, pace: Pace): number => conformsAt(lane.tat, pace);

export function took(lane: ChannelLane, now: number, pace: Pace): void {
  lane.tat = advance(lane.tat, now, pace);
  leave(lane);
}

/** Nothing goes before `until`. */
export function hold(lane: ChannelLane, until: number, pace: Pace): void {
  lane.tat = Math.max(lane.tat, until + (pace.burst - 1) * pace.intervalMs);
  leave(lane);
}

export function slowDown(lane: ChannelLane, now: number): void {
  lane.rate = cut(lane.rate, now);
  leave(lane);
}

/** For the next holder, which may be another process: by the time of day. */
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

/** Marketing gets one turn in so many while service messages wait, so that it does not starve either. */
const MARKETING_TURN = 10;

/** Which of the two to serve next, and with how many; null when nothing is due. */
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
