/**
 * When the file is left to other programs. The writer's transaction of SQLite is open nearly always (transactions.ts): a
 * program that writes to the file, as Litestream does, would never find it free under load. SQLite's own way of waiting
 * asks every 100 ms.
 */
import { systemClock } from '../clock/system.js';

/** After it has committed, each transaction is one of SQLite for so long, now and then. */
export const SHARED_MS = 110;
const SHARED_EVERY_MS = 30_000;

/** When each transaction is one of SQLite: as long as that is asked for, and some moments after SQLite has committed. */
export interface Sharing {
  isAsked(): boolean;
  isMoment(): boolean;
  /** Until the returned function is called. */
  ask(): () => void;
  committed(): void;
}

export function createSharing(sharedMs: number): Sharing {
  let asked = 0;
  let until = -Infinity;
  return {
    isAsked: () => asked > 0,
    isMoment: () => systemClock.monotonic() < until,
    ask() {
      asked += 1;
      let ended = false;
      return () => {
        if (!ended) asked -= 1;
        ended = true;
      };
    },
    committed() {
      const now = systemClock.monotonic();
      if (now >= until + SHARED_EVERY_MS) until = now + sharedMs;
    },
  };
}
