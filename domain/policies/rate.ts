/**
 * How many messages per second a channel sends: no more than its number was granted, less where people complain, and
 * what WhatsApp's own refusals teach. Additive increase, multiplicative decrease, as TCP does it.
 */
export interface ChannelFacts {
  /** Meta's throughput level of the number: STANDARD, HIGH, or something else. */
  readonly throughputLevel: string | null;
  /** The number is also used in the WhatsApp Business app, which lowers what it is granted. */
  readonly onBusinessApp: boolean;
  /** Meta's quality rating of the number. */
  readonly quality: string | null;
  /** The operator's limit. */
  readonly maxPerSecond: number | null;
}

export interface Rate {
  readonly perSecond: number;
  /** Up to when growth has been counted in, milliseconds, by the clock that `now` is of. */
  readonly grownAt: number;
  readonly cutAt: number;
}

/** Granted by level; https://developers.facebook.com/documentation/business-messaging/whatsapp/throughput */
const STANDARD_PER_SECOND = 80;
const HIGH_PER_SECOND = 1_000;
const SHARED_PER_SECOND = 20;
const QUALITY: Readonly<Record<string, number>> = { YELLOW: 1 / 2, RED: 1 / 10 };

/** A new number, or one that was silent for a day, starts at a third and is at its ceiling after 40 seconds. */
const WARM_START = 1 / 3;
export const IDLE_MS = 24 * 3_600_000;
/** From nothing to the ceiling in a minute: one more per second, each second, at the usual 60. */
const GROWTH_PER_SECOND = 1 / 60;
/** One refusal seldom comes alone: those of a second are one. */
const CUT_EVERY_MS = 1_000;
const SLOWEST_PER_SECOND = 1;

/** @param base messages per second of a number of the standard level; Infinity turns pacing off, but for the operator's limit */
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

/** @param last the last attempt, with the rate in force then; null when there was none */
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
  // A pace that was off, or was kept by another ceiling, starts from this one.
  const from = Number.isFinite(rate.perSecond) ? rate.perSecond : ceiling;
  return {
    ...rate,
    perSecond: Math.min(ceiling, from + seconds * ceiling * GROWTH_PER_SECOND),
    grownAt: now,
  };
}

/** WhatsApp said that it was too much (130429). */
export function cut(rate: Rate, now: number): Rate {
  if (now - rate.cutAt < CUT_EVERY_MS || !Number.isFinite(rate.perSecond)) return rate;
  const perSecond = Math.max(Math.min(SLOWEST_PER_SECOND, rate.perSecond), rate.perSecond / 2);
  return { perSecond, grownAt: now, cutAt: now };
}
