/** The machine's own clock and random identifiers. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Clock, NewId } from '../../ports/clock.js';

/** setTimeout accepts at most 2^31 - 1 ms and fires at once above that, so a long wait is made of shorter ones. */
const LONGEST = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, task) {
    let timer: NodeJS.Timeout;
    const arm = (left: number): void => {
      timer =
        left > LONGEST ? setTimeout(() => arm(left - LONGEST), LONGEST) : setTimeout(task, Math.max(0, left));
    };
    arm(ms);
    return () => clearTimeout(timer);
  },
};

export const newId: NewId = () => randomUUID();
