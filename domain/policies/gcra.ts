/**
 * Generic cell rate algorithm: one number per key, the theoretical arrival time (TAT) of the next message. No drip
 * process, and the next possible time is computed, which suits a schedule that survives a restart.
 */
export interface Pace {
  /** Milliseconds between two messages in steady state; 0 means unpaced. */
  readonly intervalMs: number;
  /** How many messages may go at once after a rest; at least 1. */
  readonly burst: number;
}

/** Earliest time at which one more message conforms. At or before `now` means: it may go now. */
export function conformsAt(tat: number, pace: Pace): number {
  return tat - (pace.burst - 1) * pace.intervalMs;
}

/** TAT after a message that went at `now`. */
export function advance(tat: number, now: number, pace: Pace): number {
  return Math.max(tat, now) + pace.intervalMs;
}

/** How many messages may go at `now`, up to `most`. */
export function allowance(tat: number, now: number, pace: Pace, most: number): number {
  if (pace.intervalMs <= 0) return most;
  // With m messages gone the TAT is max(tat, now) + m·interval, and the next one must still conform.
  const room = now - conformsAt(Math.max(tat, now), pace);
  return room < 0 ? 0 : Math.min(most, Math.floor(room / pace.intervalMs) + 1);
}

/**
 * What is left of a wait that was written down by the time of day. A clock that was set back since makes it no longer
 * than it was; milliseconds, never below 0.
 */
export const remaining = (
  { since, until }: { readonly since: number; readonly until: number },
  now: number,
): number => Math.max(0, until - Math.max(since, now));

/**
 * WhatsApp's own limit on one sender and one recipient: 1 per 6 s, 45 at once (error 131056). A tenth of a second more,
 * because it counts from the arrival of a message and we from its departure: a slow first one must not make a quick
 * second one look too early.
 */
export const RECIPIENT_PACE: Pace = { intervalMs: 6100, burst: 45 };
