/** Due times by MongoDB's clock, which follow that clock when it is set back. */
import type { Db } from 'mongodb';
import type { Clock } from '../../ports/clock.js';
import type { AdoptingDueTimes } from '../../ports/due-times.js';
import { createDueTimes } from './due-times.js';
import { createSetBack, type SetBack } from './set-back.js';

export function createDatedByServer(
  db: Db,
  deps: {
    readonly clock: Clock;
    readonly answerMs: number;
    readonly serverTime: () => Promise<number | null>;
  },
): { readonly dueTimes: AdoptingDueTimes; readonly setBack: SetBack } {
  const { clock, answerMs, serverTime } = deps;
  const dueTimes = createDueTimes(db, { clock, answerMs, setBack: () => setBack.sum() });
  const setBack = createSetBack(db, {
    clock,
    answerMs,
    serverTime,
    move: (sum, now) => dueTimes.bringForward(sum, now),
  });
  return { dueTimes, setBack };
}
