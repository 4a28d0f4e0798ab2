import type { Clock } from '../../../ports/clock.js';

/** Never returns the same millisecond twice, so that the times of successive records are in their order. */
export function tickingClock(clock: Clock): Clock {
  let last = -Infinity;
  return { ...clock, now: () => (last = Math.max(clock.now(), last + 1)) };
}
