/**
 * The DueTimes port over SQLite. Waiting entries are in an index by lane and due time, so a claim costs the same
 * whether a lane has ten entries or a million. Who holds an entry is kept in memory (due-times-claims.ts).
 */
import type { Clock } from '../../ports/clock.js';
import type { AdoptingDueTimes, DueEntry, LaneState } from '../../ports/due-times.js';
import { watchSteps } from '../clock/steps.js';
import type { Db } from './database.js';
import { createClaims } from './due-times-claims.js';
import { createListeners } from './due-times-listeners.js';
import { createDueRows } from './due-times-rows.js';
import { createBringForward } from './due-times-set-back.js';
import type { Participant } from './participant.js';
import type { ReadDurable } from './durable-reads.js';
import type { Writer } from './writer.js';

export function createDueTimes(
  db: Db,
  deps: {
    readonly writer: () => Writer;
    readonly readDurable: ReadDurable;
    readonly clock: Clock;
    /** Latest date in the history, epoch milliseconds: no earlier process started its fences from a later time. */
    readonly latestEventAt: number;
  },
): AdoptingDueTimes & Participant & { setBack(ms: number): void } {
  const { readDurable } = deps;
  const rows = createDueRows(db);
  const listeners = createListeners();
  const forward = createBringForward(db, deps, (entry) => claims.placed(entry.queue, entry.lane, entry));
  const { steady } = watchSteps(deps.clock, (ms) => {
    if (ms < 0) forward.by(-ms);
  });
  // A fence identifies one claim for all time. Fences count microseconds since the epoch, from the start of this
  // process on. Only a million claims per second could overtake the clock. So no earlier process can be ahead of the
  // clock, nor of the dates it has written if the clock was set back since.
  const lastFence = Math.max(deps.clock.now(), deps.latestEventAt) * 1_000;
  const claims = createClaims({ rows, listeners, steady, lastFence });
  const durably = <T>(queue: string, read: () => T): Promise<T> =>
    readDurable(() => claims.isChanging(queue), read);

  return {
    /** Called when the clock was set back by so many milliseconds before this process started. */
    setBack: (ms) => forward.by(ms),

    async schedule(entries: readonly DueEntry[]) {
      const added = entries.map((entry) => ({ entry, payload: JSON.stringify(entry.payload) }));
      return deps.writer().submit(() => {
        for (const { entry, payload } of added) {
          const seq = rows.insert(entry, payload, 0);
          if (seq !== null) claims.placed(entry.queue, entry.lane, { due_at: entry.dueAt, seq });
        }
      }, added.length);
    },

    async adopt(entries) {
      const adopted = entries.map((entry) => ({ entry, payload: JSON.stringify(entry.payload) }));
      return deps.writer().submit(() => {
        for (const { entry, payload } of adopted) claims.adopt(entry, payload);
      }, adopted.length);
    },

    claim: (options) =>
      readDurable(
        () => claims.isChanging(options.queue, options.lane),
        () => claims.claim(options),
      ),

    async settle(settlements) {
      const settled = settlements.map((settlement) => ({
        settlement,
        payload:
          settlement.then === 'again' && settlement.payload ? JSON.stringify(settlement.payload) : null,
      }));
      return deps
        .writer()
        .submit(
          () => settled.map(({ settlement, payload }) => claims.settle(settlement, payload)),
          settled.length,
        );
    },

    reschedule: (queue, id, dueAt) =>
      deps.writer().submit(() => {
        if (claims.isHeld(queue, id, deps.clock.now())) return false;
        const moved = rows.move(queue, id, dueAt);
        if (moved === undefined) return false;
        claims.release(queue, id);
        claims.placed(queue, moved.lane, moved);
        return true;
      }),

    cancel: (queue, ids) =>
      deps.writer().submit(() => {
        for (const id of ids) {
          rows.cancel(queue, id);
          claims.release(queue, id);
        }
        claims.changed(queue);
      }, ids.length),

    lanes: (queue, now) =>
      durably(queue, () => {
        forward.resume();
        const lanes: LaneState[] = [];
        for (const lane of rows.lanes(queue)) {
          const first = claims.earliest(queue, lane, now);
          if (first) lanes.push({ lane, nextDueAt: first.due_at });
        }
        return lanes.sort((a, b) => a.nextDueAt - b.nextDueAt);
      }),

    count: (queue, lane, dueBy = Number.MAX_SAFE_INTEGER) =>
      durably(queue, () => rows.count(queue, lane, dueBy)),

    existing: (queue, ids) => durably(queue, () => new Set(ids.filter((id) => rows.exists(queue, id)))),

    onScheduled: (listener) => listeners.add(listener),

    committed() {
      claims.committed();
      listeners.committed();
    },

    rolledBack() {
      claims.rolledBack();
      listeners.rolledBack();
    },
  };
}
