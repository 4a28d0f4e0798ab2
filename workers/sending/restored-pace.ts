/**
 * Restores the pace of a channel as its last holder left it: from the state in its lease, or from its last attempt in
 * the history. Both are dated by the time of day, which may have been set since, so only spans between their own dates
 * count.
 */
import { remaining } from '../../domain/policies/gcra.js';
import { startRate } from '../../domain/policies/rate.js';
import type { Clock } from '../../ports/clock.js';
import type { Lease } from '../../ports/leases.js';
import type { PacingDoc } from '../../read-models/pacing.js';
import { channelPace, type ChannelLane } from './lane.js';

export function restoredPace(
  doc: PacingDoc | undefined,
  left: NonNullable<Lease['left']>,
  clock: Pick<Clock, 'now' | 'monotonic'>,
  ceiling: number,
): Pick<ChannelLane, 'rate' | 'tat'> {
  const now = clock.now();
  const monotonic = clock.monotonic();
  const { at, tat, per_second: perSecond, grown_at: grownAt } = left;
  const known =
    doc === undefined || doc.interval_ms <= 0 ? null : { at: doc.last_at, perSecond: 1000 / doc.interval_ms };
  const leftRate =
    typeof perSecond === 'number' && typeof grownAt === 'number' ? { at: grownAt, perSecond } : null;
  const leftMs =
    typeof tat === 'number' ? remaining({ since: typeof at === 'number' ? at : now, until: tat }, now) : 0;
  const knownMs = doc === undefined ? 0 : Math.min(longestDebt(doc), remaining(spanOf(doc), now));
  return {
    rate: { ...startRate(leftRate ?? known, now, ceiling), grownAt: monotonic },
    tat: monotonic + Math.max(leftMs, knownMs),
  };
}

const spanOf = ({ last_at: since, channel_tat: until }: PacingDoc) => ({ since, until });

/** One whole burst. The row adds up to more only through attempts dated by a clock that was ahead. */
function longestDebt({ interval_ms: intervalMs }: PacingDoc): number {
  if (intervalMs <= 0) return 0;
  return channelPace(1000 / intervalMs).burst * intervalMs;
}
