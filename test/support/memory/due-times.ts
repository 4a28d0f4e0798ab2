/** The due-time port over a map, for tests with their own clock. */
import type { AdoptingDueTimes, ClaimedEntry, DueEntry } from '../../../ports/due-times.js';

interface Row extends DueEntry {
  claims: number;
  fence: number;
  heldUntil: number;
}

export interface MemoryDueTimes extends AdoptingDueTimes {
  rows(queue: string): readonly ClaimedEntry[];
}

/** `now` measures leases, in place of the store's own clock. */
export function memoryDueTimes(now: () => number): MemoryDueTimes {
  const rows = new Map<string, Row>();
  const listeners = new Set<(queue: string, lane: string, dueAt: number) => void>();
  const announce = (queue: string, lane: string, dueAt: number): void => {
    for (const listener of listeners) listener(queue, lane, dueAt);
  };
  let fences = 0;
  const keyOf = (queue: string, id: string): string => JSON.stringify([queue, id]);
  const of = (queue: string, lane?: string): Row[] =>
    [...rows.values()].filter((row) => row.queue === queue && (lane === undefined || row.lane === lane));

  return {
    rows: (queue) => of(queue),
    async schedule(entries) {
      for (const entry of entries) {
        const key = keyOf(entry.queue, entry.id);
        if (rows.has(key)) continue;
        rows.set(key, { ...structuredClone(entry), claims: 0, fence: 0, heldUntil: 0 });
        announce(entry.queue, entry.lane, entry.dueAt);
      }
    },
    async adopt(entries) {
      for (const { heldUntil, ...entry } of entries) {
        const key = keyOf(entry.queue, entry.id);
        if (rows.has(key)) continue;
        fences = Math.max(fences, entry.fence);
        rows.set(key, { ...structuredClone(entry), heldUntil: heldUntil ?? 0 });
      }
    },
    async claim({ queue, lane, now: at, limit, leaseMs }) {
      const due = of(queue, lane)
        .filter((row) => row.dueAt <= at && row.heldUntil <= now())
        .sort((a, b) => a.dueAt - b.dueAt)
        .slice(0, limit);
      for (const row of due) {
        row.claims += 1;
        row.fence = fences += 1;
        row.heldUntil = now() + leaseMs;
      }
      return due.map((row) => ({ ...row }));
    },
    async settle(settlements) {
      return settlements.map((settlement) => {
        const { queue, id, fence, then } = settlement;
        const row = rows.get(keyOf(queue, id));
        if (row?.fence !== fence) return false;
        if (then === 'done') return rows.delete(keyOf(queue, id));
        // The type forbids other values too, but only for callers that are compiled against it.
        if (then !== 'again') throw new Error(`A row ends or is due again, it can't be "${String(then)}".`);
        const { dueAt, payload = row.payload } = settlement;
        rows.set(keyOf(queue, id), { ...row, dueAt, payload, fence: 0, heldUntil: 0 });
        announce(queue, row.lane, dueAt);
        return true;
      });
    },
    async reschedule(queue, id, dueAt) {
      const row = rows.get(keyOf(queue, id));
      if (!row || row.heldUntil > now()) return false;
      rows.set(keyOf(queue, id), { ...row, dueAt, fence: 0, heldUntil: 0 });
      announce(queue, row.lane, dueAt);
      return true;
    },
    async cancel(queue, ids) {
      for (const id of ids) rows.delete(keyOf(queue, id));
    },
    async lanes(queue) {
      const next = new Map<string, number>();
      for (const { lane, dueAt, heldUntil } of of(queue)) {
        if (heldUntil <= now()) next.set(lane, Math.min(dueAt, next.get(lane) ?? Infinity));
      }
      return [...next]
        .map(([lane, nextDueAt]) => ({ lane, nextDueAt }))
        .sort((a, b) => a.nextDueAt - b.nextDueAt);
    },
    existing: async (queue, ids) => new Set(ids.filter((id) => rows.has(keyOf(queue, id)))),
    count: async (queue, lane, dueBy = Infinity) =>
      of(queue, lane).filter(({ dueAt }) => dueAt <= dueBy).length,
    onScheduled(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
