/**
 * How much load one endpoint gets. Its slots grow by one with each round of quick answers, and halve when it is
 * overloaded (AIMD). When nothing answers any more, its deliveries rest, which costs them no attempt.
 */
export interface PaceLimits {
  /** Most requests in flight to one endpoint. */
  readonly maxPerEndpoint: number;
  /** An answer that takes longer counts as slow. */
  readonly slowMs: number;
  /** Attempts in a row without any answer that open the breaker. */
  readonly breakerAfter: number;
  readonly breakerMinMs: number;
  readonly breakerMaxMs: number;
}

export interface Pace {
  /** Requests that may be in flight now. */
  slots: number;
  quickAnswers: number;
  /** Exponential mean of the time that attempts take; 0 before the first. */
  meanMs: number;
  silent: number;
  /** By the monotonic clock, as `now` below is. */
  restUntil: number;
  /** Length of the last rest; 0 while the breaker is closed. */
  restedMs: number;
}

export type Signal =
  /** Any answer that is no sign of overload, of any status. */
  | 'answered'
  /** 429 or 503. */
  | 'overloaded'
  | 'timed_out'
  /** Refused, reset, not resolved and the like. */
  | 'unreachable';

/**
 * A new endpoint gets all slots, and loses some only when it is slow or overloaded.
 * @param meanMs mean time of its attempts when it was last active; 0 when unknown
 */
export const newPace = (limits: PaceLimits, meanMs = 0): Pace => ({
  slots: limits.maxPerEndpoint,
  quickAnswers: 0,
  meanMs,
  silent: 0,
  restUntil: 0,
  restedMs: 0,
});

/**
 * Changes `pace` by the outcome of one attempt. A slow attempt costs one slot, an overload or a time-out half of them.
 * Each attempt without an answer also brings a rest closer.
 */
export function learn(pace: Pace, signal: Signal, durationMs: number, now: number, limits: PaceLimits): void {
  const took = Math.max(1, durationMs);
  pace.meanMs = pace.meanMs === 0 ? took : pace.meanMs * 0.9 + took * 0.1;
  if (signal === 'timed_out' || signal === 'overloaded') {
    pace.slots = Math.max(1, Math.floor(pace.slots / 2));
    pace.quickAnswers = 0;
  } else if (durationMs > limits.slowMs) {
    pace.slots = Math.max(1, pace.slots - 1);
    pace.quickAnswers = 0;
  } else if (signal === 'answered' && ++pace.quickAnswers >= pace.slots) {
    pace.slots = Math.min(limits.maxPerEndpoint, pace.slots + 1);
    pace.quickAnswers = 0;
  }
  if (signal === 'answered' || signal === 'overloaded') {
    pace.silent = 0;
    pace.restedMs = 0;
    return;
  }
  pace.silent += 1;
  // Requests already in flight when a rest begins must not lengthen it.
  if (pace.silent < limits.breakerAfter || now < pace.restUntil) return;
  pace.restedMs =
    pace.restedMs === 0 ? limits.breakerMinMs : Math.min(limits.breakerMaxMs, pace.restedMs * 2);
  pace.restUntil = now + pace.restedMs;
}

/** Its requests end soon. False for an endpoint of which nothing is known yet. */
export const isQuick = (pace: Pace, limits: PaceLimits): boolean =>
  pace.meanMs > 0 && pace.meanMs <= limits.slowMs;

/** After a rest, one real delivery probes the endpoint; the others follow when it has answered. */
export function freeSlots(pace: Pace, inFlight: number, now: number): number {
  if (now < pace.restUntil) return 0;
  return Math.max(0, (pace.restedMs > 0 ? 1 : pace.slots) - inFlight);
}
