/**
 * How many messages per second a channel sends. The rate stays within the number's granted rate, is lower when people
 * complain, and adapts to WhatsApp's refusals: additive increase, multiplicative decrease, as in TCP.
 */
export interface ChannelFacts {
  /** Meta's throughput level of the number: STANDARD, HIGH, or something else. */
  readonly throughputLevel: string | null;
  /** The number is also used in the WhatsApp Business app, which lowers its granted rate. */
  readonly onBusinessApp: boolean;
  /** Meta's quality rating of the number. */
  readonly quality: string | null;
  /** The limit set by the operator. */
  readonly maxPerSecond: number | null;
}

export interface Rate {
  readonly perSecond: number;
  /** The time up to which growth is included, in milliseconds, by the clock of `now`. */
  readonly grownAt: number;
  readonly cutAt: number;
}

/** Granted per level; https://developers.facebook.com/documentation/business-messaging/whatsapp/throughput */
const STANDARD_PER_SECOND = 80;
const HIGH_PER_SECOND = 1_000;
const SHARED_PER_SECOND = 20;
const QUALITY: Readonly<Record<string, number>> = { YELLOW: 1 / 2, RED: 1 / 10 };

/** A new number, or one without sends for a day, starts at a third and reaches its ceiling after 40 seconds. */
const WARM_START = 1 / 3;
export const IDLE_MS = 24 * 3_600_000;
/** From zero to the ceiling in a minute: one more per second, each second, at the usual ceiling of 60. */
const GROWTH_PER_SECOND = 1 / 60;
/** Refusals seldom come alone: all those within a second count as one. */
const CUT_EVERY_MS = 1_000;
const SLOWEST_PER_SECOND = 1;

/**
 * @param base messages per second of a number of the standard level; Infinity disables pacing, except for the
 * operator's limit
 */
export function ceilingOf(base: number, facts: ChannelFacts): number {
  const { throughputLevel, onBusinessApp, quality, maxPerSecond } = facts;
  const level = onBusinessApp
    ? SHARED_PER_SECOND
    : throughputLevel === 'HIGH'
      ? HIGH_PER_SECOND
      : STANDARD_PER_SECOND;
  const granted = (base * level) / STANDARD_PER_SECOND;
  const healthy = granted * (QUALITY[quality ?? ''] ?? 1);
  return Math.min(healthy, maxPerSecond ?? Infinity);
}

/** @param last the last attempt, with the rate in force then; null when there was no attempt */
export function startRate(
  last: { readonly at: number; readonly perSecond: number } | null,
  now: number,
  ceiling: number,
): Rate {
  const warm = { perSecond: ceiling * WARM_START, grownAt: now, cutAt: -Infinity };
  if (last === null || now - last.at >= IDLE_MS) return warm;
  return grown(
    { perSecond: last.perSecond, grownAt: Math.min(last.at, now), cutAt: -Infinity },
    now,
    ceiling,
  );
}

export function grown(rate: Rate, now: number, ceiling: number): Rate {
  if (!Number.isFinite(ceiling)) return { ...rate, perSecond: ceiling, grownAt: now };
  const seconds = Math.max(0, now - rate.grownAt) / 1000;
  // A rate without a limit, from a time when pacing was off, starts from this ceiling.
  const from = Number.isFinite(rate.perSecond) ? rate.perSecond : ceiling;
  return {
    ...rate,
    perSecond: Math.min(ceiling, from + seconds * ceiling * GROWTH_PER_SECOND),
    grownAt: now,
  };
}

/** Halves the rate after WhatsApp reported too many messages (130429). */
export function cut(rate: Rate, now: number): Rate {
  if (now - rate.cutAt < CUT_EVERY_MS || !Number.isFinite(rate.perSecond)) return rate;
  const perSecond = Math.max(Math.min(SLOWEST_PER_SECOND, rate.perSecond), rate.perSecond / 2);
  return { perSecond, grownAt: now, cutAt: now };
}
