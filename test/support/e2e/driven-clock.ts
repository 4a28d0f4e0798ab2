/** The clock of an end-to-end test: moved on by the test, but on the real stack, where time is real and is waited for. */
import { systemClock } from '../../../adapters/clock/system.js';
import { pause } from '../../../ports/waiting.js';
import { steppingClock, type SteppingClock } from '../fakes/stepping-clock.js';
import { REAL_STACK } from './stack.js';

export type DrivenClock = Pick<SteppingClock, 'now' | 'monotonic' | 'after' | 'advance'> & {
  /** False where `advance` waits. */
  readonly driven: boolean;
};

export function drivenClock(): DrivenClock {
  return REAL_STACK
    ? { ...systemClock, advance: (ms) => pause(systemClock, ms), driven: false }
    : { ...steppingClock(), driven: true };
}
