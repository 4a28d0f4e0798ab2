/**
 * Tells when somebody set the time of day: it and the monotonic clock have parted. A scale that goes by the one and begins
 * at the other stays comparable in one process.
 */
import type { Clock } from '../../ports/clock.js';

export interface ClockSteps {
  /** Places a time of day, as the clock shows it now, on a scale that no step moves. */
  readonly steady: (time: number) => number;
  /** Looks whether the clock was set since the last look. `steady` does so too. */
  readonly look: () => void;
}

/** The two are not read in the same moment, and time services move both alike: closer than this nobody set anything. */
const TOLERANCE_MS = 1_000;

/** @param onStep hears by how many milliseconds the clock was set: below 0 it was set back */
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
