/**
 * Rows that a process keeps in memory instead of the due-time store, while the batch of the topic that they come from is
 * open (docs/adr/0047). Most of them are worked on and end within a second, and never cost a request. A row that lasts
 * longer is written to the store as it is, with its claim if it is held: then the topic's offset may pass its batch. If
 * the process dies before, the batch is delivered again.
 */
import type { Clock } from '../../ports/clock.js';
import type { AdoptingDueTimes, DueEntry, DueTimes, LaneState, Settlement } from '../../ports/due-times.js';
import type { ThrottledErrorLog } from '../kernel/throttled-error-log.js';
import { createRowClaims } from './row-claims.js';
import { createRowMoves } from './row-moves.js';
import { createRowsInMemory, isFree, KEPT_MS, type KeptRow } from './rows-in-memory.js';
import { createStoredLanes } from './stored-lanes.js';

export interface KeptRows extends DueTimes {
  /** Writes all kept rows to the store. @throws StoreUnavailable; those that it could not write are still kept */
  letGo(): Promise<void>;
}

/** @param trouble failures to write rows to the store; they are written again later */
export function createKeptRows(inner: AdoptingDueTimes, clock: Clock, trouble: ThrottledErrorLog): KeptRows {
  const memory = createRowsInMemory(clock, moveLater);
  const stored = createStoredLanes();
  const moves = createRowMoves({ inner, memory, stored, clock, trouble });
  inner.onScheduled((queue, lane, dueAt) => stored.note(queue, lane, dueAt));

  /** What can not be written is looked at again by `memory`. */
  function moveLater(some: readonly KeptRow[]): void {
    moves.move(some).catch(trouble.failed);
  }

  /** False: the fence is void. Null: the store has the row. @throws StoreUnavailable */
  async function settleKept(settlement: Settlement): Promise<boolean | null> {
    const row = memory.find(settlement.queue, settlement.id);
    if (row?.fence !== settlement.fence || row.heldUntil === 0) return null;
    if (row.moving || row.inDoubt) {
      await (row.moving ?? moves.move([row]));
      return null;
    }
    if (settlement.then === 'done') {
      memory.forget(row);
      return true;
    }
    const { dueAt, payload = row.entry.payload } = settlement;
    waitUntil(row, dueAt, payload);
    return true;
  }

  /** Nobody holds the row; one that waits longer than rows are kept goes to the store. */
  function waitUntil(row: KeptRow, dueAt: number, payload: DueEntry['payload']): void {
    memory.putBack(row, dueAt, payload);
    if (dueAt - clock.now() > KEPT_MS) moveLater([row]);
  }

  /** Resolves when the store has these rows, or they have ended. */
  async function moved(some: readonly KeptRow[]): Promise<void> {
    await moves.ended(some);
    await moves.move(some.filter((row) => memory.has(row)));
  }

  return {
    async schedule(entries, open) {
      const known = entries.map(({ queue, id }) => memory.find(queue, id));
      const fresh = entries.filter((_, index) => known[index] === undefined);
      const there = known.filter((row) => row !== undefined);
      if (!open) {
        await Promise.all([fresh.length > 0 && inner.schedule(fresh), moved(there)]);
        return;
      }
      const last = clock.now() + KEPT_MS;
      const kept = fresh.filter(({ dueAt }) => dueAt <= last).slice(0, memory.room());
      const keptOnce = kept.map((entry) => memory.find(entry.queue, entry.id) ?? memory.add(entry));
      for (const row of [...there, ...keptOnce]) open.until(row.ended);
      const keptNow = new Set(kept);
      const rest = fresh.filter((entry) => !keptNow.has(entry));
      if (rest.length > 0) await inner.schedule(rest);
    },

    claim: createRowClaims({ inner, memory, moves, stored }),

    async settle(settlements) {
      const results = await Promise.all(settlements.map(settleKept));
      const rest = settlements.filter((_, index) => results[index] === null);
      const others = rest.length > 0 ? await inner.settle(rest) : [];
      let next = 0;
      return results.map((result) => result ?? others[next++] ?? false);
    },

    async reschedule(queue, id, dueAt) {
      const row = memory.find(queue, id);
      await row?.moving?.catch(() => undefined);
      if (!row || row.inDoubt || !memory.has(row)) return inner.reschedule(queue, id, dueAt);
      if (!isFree(row, clock.now())) return false;
      waitUntil(row, dueAt, row.entry.payload);
      return true;
    },

    async cancel(queue, ids) {
      await moves.ended(memory.findAll(queue, ids));
      for (const row of memory.findAll(queue, ids)) memory.forget(row);
      await inner.cancel(queue, ids);
    },

    async lanes(queue, now) {
      const found = await stored.list(queue, () => inner.lanes(queue, now));
      const next = new Map(found.map(({ lane, nextDueAt }) => [lane, nextDueAt]));
      for (const row of memory.all()) {
        const { lane, dueAt } = row.entry;
        if (row.entry.queue !== queue || !isFree(row, now)) continue;
        next.set(lane, Math.min(dueAt, next.get(lane) ?? Infinity));
      }
      return [...next]
        .map(([lane, nextDueAt]): LaneState => ({ lane, nextDueAt }))
        .sort((a, b) => a.nextDueAt - b.nextDueAt);
    },

    async count(queue, lane, dueBy) {
      const counted = await inner.count(queue, lane, dueBy);
      const ours = [...memory.all()].filter(
        ({ entry, moving }) =>
          moving === null &&
          entry.queue === queue &&
          (lane === undefined || entry.lane === lane) &&
          entry.dueAt <= (dueBy ?? Infinity),
      );
      return counted + ours.length;
    },

    async existing(queue, ids) {
      const found = await inner.existing(queue, ids);
      return new Set([...found, ...memory.findAll(queue, ids).map(({ entry }) => entry.id)]);
    },

    onScheduled(listener) {
      const stops = [memory.onScheduled(listener), inner.onScheduled(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },

    async letGo() {
      await moved([...memory.all()]);
    },
  };
}
