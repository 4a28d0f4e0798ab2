/**
 * Detects that someone set the time of day: its difference to the monotonic clock has changed. The scale that `steady`
 * returns starts at the time of day and advances with the monotonic clock, so its values stay comparable within one
 * process.
 */
import type { Clock } from '../../ports/clock.js';

export interface ClockSteps {
  /** Converts a time of day, as the clock shows it now, to a scale that a clock step does not move. */
  readonly steady: (time: number) => number;
  /** Checks whether the clock was set since the last check. `steady` does so too. */
  readonly look: () => void;
}

/**
 * The two clocks are not read at the same moment, and time services slew both alike: a smaller difference is not a
 * step.
 */
const TOLERANCE_MS = 1_000;

/** @param onStep receives by how many milliseconds the clock was set; negative when it was set back */
export function watchSteps(
  clock: Pick<Clock, 'now' | 'monotonic'>,
  onStep: (ms: number) => void = () => undefined,
): ClockSteps {
  const begun = clock.now() - clock.monotonic();
  let stepped = 0;

  function look(): void {
    const ms = Math.round(clock.now() - clock.monotonic() - begun - stepped);
    if (Math.abs(ms) < TOLERANCE_MS) return;
    stepped += ms;
    onStep(ms);
  }

  return {
    look,
    steady(time) {
      look();
      return time - stepped;
    },
  };
}
