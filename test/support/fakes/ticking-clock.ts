import type { Clock } from '../../../ports/clock.js';

/** Shows no millisecond twice, so that what is recorded one after another is in the order of its times. */
export function tickingClock(clock: Clock): Clock {
  let last = -Infinity;
  return { ...clock, now: () => (last = Math.max(clock.now(), last + 1)) };
}
