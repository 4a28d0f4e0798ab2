/**
 * Lets events gather between two batches while the history grows quickly: each batch costs the store requests, however
 * few events it has. While little happens, and on a long way, nothing waits.
 */
import type { Clock } from '../ports/clock.js';
import { createBell } from '../ports/waiting.js';

/** Time between the beginnings of two batches. Requests that wait for their own write wait up to so much longer. */
export const APART_MS = 125;
/** The history grows quickly where it had so many events in a second. */
export const BUSY_EVENTS = 150;
/** A batch of so many events is worth its requests. */
export const ENOUGH_EVENTS = 100;
const WINDOW_MS = 1_000;

export interface BatchPace {
  /** Resolves when the next batch may begin. @param begunAt when this one began, by the monotonic clock */
  next(begunAt: number, events: number): Promise<void>;
  /** Ends the wait, and all later ones. */
  stop(): void;
}

export function createBatchPace(clock: Pick<Clock, 'after' | 'monotonic'>): BatchPace {
  const bell = createBell(clock);
  let stopped = false;
  let since = -Infinity;
  let events = 0;
  let eventsBefore = 0;

  function note(added: number): void {
    const past = clock.monotonic() - since;
    if (past >= WINDOW_MS) {
      eventsBefore = past < 2 * WINDOW_MS ? events : 0;
      events = 0;
      since = clock.monotonic();
    }
    events += added;
  }

  return {
    async next(begunAt, added) {
      note(added);
      const left = begunAt + APART_MS - clock.monotonic();
      if (stopped || left <= 0 || added >= ENOUGH_EVENTS) return;
      if (Math.max(events, eventsBefore) >= BUSY_EVENTS) await bell.wait(left);
    },
    stop() {
      stopped = true;
      bell.ring();
    },
  };
}
