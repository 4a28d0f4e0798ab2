/**
 * Progress of the read models, for requests that must see their own earlier write (spec §4). Projections may run in
 * another process: the shared checkpoint is polled, but only while a request waits.
 */
import type { Clock } from '../ports/clock.js';
import { START, type Position } from '../ports/event-store.js';
import type { ReadModels } from '../ports/read-models.js';
import { pause } from '../ports/waiting.js';
import { IN_STEP } from './in-step.js';

export interface Progress {
  /** Reports that a runner of this process has applied everything up to here. */
  readonly note: (position: Position) => void;
  /**
   * True once the read models contain everything up to `position`; false after `withinMs`, or if the store is
   * unavailable.
   */
  readonly reached: (position: Position, withinMs: number) => Promise<boolean>;
}

interface Waiter {
  readonly position: Position;
  readonly done: (reached: boolean) => void;
}

const LOOK_EVERY_MS = 10;
/** A runner of this process that reported within this time will report again. */
const REPORTS_WITHIN_MS = 100;

export function createProgress(deps: {
  readonly readModels: Pick<ReadModels, 'checkpoint'>;
  readonly clock: Clock;
}): Progress {
  const { readModels, clock } = deps;
  const waiters = new Set<Waiter>();
  let at = START;
  let notedAt = -Infinity;
  let looking = false;

  function reach(position: Position): void {
    if (position <= at) return;
    at = position;
    for (const waiter of waiters) if (position >= waiter.position) waiter.done(true);
  }

  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    while (waiters.size > 0) {
      // Applying an event takes some milliseconds: before that, a read of the checkpoint shows nothing.
      await pause(clock, LOOK_EVERY_MS);
      if (waiters.size === 0) break;
      // The runner of this process is the only one, and will report.
      if (clock.monotonic() - notedAt < REPORTS_WITHIN_MS) continue;
      try {
        reach(await readModels.checkpoint(IN_STEP));
      } catch {
        for (const waiter of waiters) waiter.done(false);
      }
    }
    looking = false;
  }

  return {
    note(position) {
      notedAt = clock.monotonic();
      reach(position);
    },
    reached(position, withinMs) {
      if (position <= at) return Promise.resolve(true);
      return new Promise((resolve) => {
        const waiter: Waiter = {
          position,
          done(reached) {
            cancel();
            waiters.delete(waiter);
            resolve(reached);
          },
        };
        const cancel = clock.after(withinMs, () => waiter.done(false));
        waiters.add(waiter);
        void look();
      });
    },
  };
}
