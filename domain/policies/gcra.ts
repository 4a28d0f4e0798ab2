/**
 * Generic cell rate algorithm: one number per key, the theoretical arrival time (TAT) of the next message. It needs no
 * drip process, and it computes the next possible time, which suits a schedule that survives a restart.
 */
export interface Pace {
  /** Milliseconds between two messages in steady state; 0 means unpaced. */
  readonly intervalMs: number;
  /** How many messages may go at once after a pause; at least 1. */
  readonly burst: number;
}

/** Earliest time at which one more message conforms. At or before `now` means: it may be sent now. */
export function conformsAt(tat: number, pace: Pace): number {
  return tat - (pace.burst - 1) * pace.intervalMs;
}

/** TAT after a message sent at `now`. */
export function advance(tat: number, now: number, pace: Pace): number {
  return Math.max(tat, now) + pace.intervalMs;
}

/** How many messages may be sent at `now`, up to `most`. */
export function allowance(tat: number, now: number, pace: Pace, most: number): number {
  if (pace.intervalMs <= 0) return most;
  // After m messages the TAT is max(tat, now) + m·interval, and the next one must still conform.
  const room = now - conformsAt(Math.max(tat, now), pace);
  return room < 0 ? 0 : Math.min(most, Math.floor(room / pace.intervalMs) + 1);
}

/**
 * The rest of a wait that was stored as times of day, in milliseconds, never below 0. When the clock was set back
 * since, the rest is not longer than the original wait.
 */
export const remaining = (
  { since, until }: { readonly since: number; readonly until: number },
  now: number,
): number => Math.max(0, until - Math.max(since, now));

/**
 * WhatsApp's own limit on one sender and one recipient: 1 per 6 s, 45 at once (error 131056). The interval is 0.1 s
 * longer, because WhatsApp counts from the arrival of a message and we count from its departure. A fast message after a
 * slow one would arrive too early.
 */
export const RECIPIENT_PACE: Pace = { intervalMs: 6100, burst: 45 };
