/** The clock of an end-to-end test. The test advances it; on the real stack, time is real and `advance` waits. */
import { systemClock } from '../../../adapters/clock/system.js';
import { pause } from '../../../ports/waiting.js';
import { steppingClock, type SteppingClock } from '../fakes/stepping-clock.js';
import { REAL_STACK } from './stack.js';

export type DrivenClock = Pick<SteppingClock, 'now' | 'monotonic' | 'after' | 'advance'> & {
  /** False when `advance` waits for real time. */
  readonly driven: boolean;
};

export function drivenClock(): DrivenClock {
  return REAL_STACK
    ? { ...systemClock, advance: (ms) => pause(systemClock, ms), driven: false }
    : { ...steppingClock(), driven: true };
}
