/**
 * Rows that a process keeps in memory instead of the due-time store, while the batch of the topic that they come from is
 * open (docs/adr/0047). Most of them are worked on and end within a second, and never cost a request. A row that lasts
 * longer is written to the store as it is, with its claim if it is held: then the topic's offset may pass its batch. If
 * the process dies before, the batch is delivered again.
 */
import type { Clock } from '../../ports/clock.js';
import type {
  AdoptedEntry,
  AdoptingDueTimes,
  ClaimedEntry,
  DueEntry,
  DueTimes,
  LaneState,
  Settlement,
} from '../../ports/due-times.js';
import type { ThrottledErrorLog } from '../kernel/throttled-error-log.js';
import { createAnnouncements } from './announcements.js';
import { createRowsInOrder, type RowsInOrder } from './rows-in-order.js';
import { createStoredLanes } from './stored-lanes.js';

/** A row is kept for this long. Whoever waits longer must not hold back the topic. */
export const KEPT_MS = 5_000;
const LOOK_EVERY_MS = 500;
/** Most rows in memory; all further rows go to the store. */
const MOST_KEPT = 2_000;
/** Rows written to the store at once. */
const MOVED_AT_ONCE = 500;

export interface KeptRows extends DueTimes {
  /** Writes all kept rows to the store. @throws StoreUnavailable; those that it could not write are still kept */
  letGo(): Promise<void>;
}

interface Kept {
  entry: DueEntry;
  /** By the monotonic clock: when it was added, and when it is due. */
  readonly since: number;
  dueIn: number;
  /** By the wall clock, as claims are made. 0: nobody holds it. */
  heldUntil: number;
  readonly seq: number;
  claims: number;
  fence: number;
  /** It is being written to the store. */
  moving: Promise<void> | null;
  /** A write had no answer: the store may have it, so it is written again before anybody claims or settles it. */
  inDoubt: boolean;
  /** Resolves when the row has left memory and all work in `until` has ended: then the topic's offset may pass. */
  readonly ended: Promise<void>;
  readonly end: () => void;
  /** Work that the offset waits for too, named by the row's holder. */
  readonly until: Promise<unknown>[];
}

const keyOf = (queue: string, id: string): string => `${queue}\n${id}`;

/** @param trouble failures to write rows to the store; they are written again later */
export function createKeptRows(inner: AdoptingDueTimes, clock: Clock, trouble: ThrottledErrorLog): KeptRows {
  const rows = new Map<string, Kept>();
  const byLane = new Map<string, RowsInOrder<Kept>>();
  const stored = createStoredLanes();
  const { add: listen, announce } = createAnnouncements();
  let lastNumber = 0;
  /** Writes to the store in progress. */
  let moves = 0;
  let cancelLook: (() => void) | undefined;
  inner.onScheduled((queue, lane, dueAt) => stored.note(queue, lane, dueAt));

  /** Fences grow like those of the store, whose rows may be claimed after these under the same ids. */
  function nextNumber(): number {
    lastNumber = Math.max(lastNumber + 1, clock.now() * 1_000 + Math.floor(Math.random() * 1_000));
    return lastNumber;
  }

  const isFree = (row: Kept, now: number): boolean =>
    row.moving === null && !row.inDoubt && row.heldUntil <= now;

  function keep(entry: DueEntry): Kept {
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const since = clock.monotonic();
    const dueIn = since + entry.dueAt - clock.now();
    const number = nextNumber();
    const row: Kept = {
      entry,
      since,
      dueIn,
      heldUntil: 0,
      seq: number,
      claims: 0,
      fence: number,
      moving: null,
      inDoubt: false,
      ended,
      end,
      until: [],
    };
    rows.set(keyOf(entry.queue, entry.id), row);
    takePlace(row);
    announce(entry);
    lookSoon();
    return row;
  }

  function takePlace(row: Kept): void {
    const lane = keyOf(row.entry.queue, row.entry.lane);
    let same = byLane.get(lane);
    if (!same) {
      same = createRowsInOrder<Kept>(({ entry: { dueAt }, seq }) => ({ dueAt, seq }));
      byLane.set(lane, same);
    }
    same.add(row);
  }

  function leavePlace(row: Kept): void {
    const lane = keyOf(row.entry.queue, row.entry.lane);
    const same = byLane.get(lane);
    same?.remove(row);
    if (same?.size() === 0) byLane.delete(lane);
  }

  function forget(row: Kept): void {
    const { queue, id } = row.entry;
    if (rows.get(keyOf(queue, id)) !== row) return;
    rows.delete(keyOf(queue, id));
    leavePlace(row);
    if (row.until.length === 0) row.end();
    else void Promise.all(row.until).then(row.end);
    if (rows.size > 0) return;
    cancelLook?.();
    cancelLook = undefined;
  }

  function lookSoon(): void {
    cancelLook ??= clock.after(LOOK_EVERY_MS, () => {
      cancelLook = undefined;
      const now = clock.monotonic();
      const late = [...rows.values()].filter(
        ({ since, moving, inDoubt }) => !moving && (inDoubt || now - since >= KEPT_MS),
      );
      moveAll(late).catch(trouble.failed);
      if (rows.size > 0) lookSoon();
    });
  }

  async function moveAll(all: readonly Kept[]): Promise<void> {
    const some: Promise<void>[] = [];
    for (let from = 0; from < all.length; from += MOVED_AT_ONCE) {
      some.push(move(all.slice(from, from + MOVED_AT_ONCE)));
    }
    await Promise.all(some);
  }

  function move(some: readonly Kept[]): Promise<void> {
    moves += 1;
    const adopted = inner.adopt([...some].sort((a, b) => a.seq - b.seq).map(asIs));
    const arrived = adopted.then(
      () => {
        for (const row of some) {
          const { queue, lane, dueAt } = row.entry;
          stored.note(queue, lane, Math.max(dueAt, row.heldUntil));
          forget(row);
        }
        trouble.worked();
      },
      (error: unknown) => {
        for (const row of some) Object.assign(row, { moving: null, inDoubt: true });
        throw error;
      },
    );
    // Only once the rows are in one place again: claims look for rows on their way while this counts any.
    const moving = arrived.finally(() => (moves -= 1));
    for (const row of some) row.moving = moving;
    return moving;
  }

  /** Its times by the wall clock, which may have been set since. */
  function asIs({ entry, dueIn, heldUntil, claims, fence }: Kept): AdoptedEntry {
    const now = clock.monotonic();
    const dueAt = Math.min(entry.dueAt, Math.ceil(clock.now() + Math.max(0, dueIn - now)));
    return { ...entry, dueAt, claims, fence, heldUntil: heldUntil === 0 ? null : heldUntil };
  }

  /** Rows that are being moved are claimed in the store. */
  async function movingIn(queue: string, lane: string): Promise<void> {
    if (moves > 0) await ofMoving([...(byLane.get(keyOf(queue, lane)) ?? [])]);
  }

  /** Resolves when those of the rows that are being moved were moved, or could not be. */
  async function ofMoving(some: readonly Kept[]): Promise<void> {
    await Promise.allSettled(some.flatMap(({ moving }) => moving ?? []));
  }

  /** The first of the lane's rows that are due and free. Few are held: no more than are in progress. */
  function dueIn(queue: string, lane: string, dueBy: number, limit: number): readonly Kept[] {
    const found: Kept[] = [];
    for (const row of byLane.get(keyOf(queue, lane)) ?? []) {
      if (row.entry.dueAt > dueBy || found.length >= limit) break;
      if (isFree(row, dueBy)) found.push(row);
    }
    return found;
  }

  function claimed(row: Kept, heldUntil: number): ClaimedEntry {
    row.heldUntil = heldUntil;
    row.fence = nextNumber();
    row.claims += 1;
    const until = (work?: Promise<unknown>): boolean => {
      const kept = rows.get(keyOf(row.entry.queue, row.entry.id)) === row;
      if (kept && work) row.until.push(work);
      return kept;
    };
    return { ...row.entry, claims: row.claims, fence: row.fence, until };
  }

  /** False: the fence is void. Null: the store has the row. @throws StoreUnavailable */
  async function settleKept(settlement: Settlement): Promise<boolean | null> {
    const row = rows.get(keyOf(settlement.queue, settlement.id));
    if (row?.fence !== settlement.fence || row.heldUntil === 0) return null;
    if (row.moving || row.inDoubt) {
      await (row.moving ?? move([row]));
      return null;
    }
    if (settlement.then === 'done') {
      forget(row);
      return true;
    }
    const { dueAt, payload = row.entry.payload } = settlement;
    waitUntil(row, dueAt, payload);
    return true;
  }

  /** Nobody holds the row; one that waits longer than rows are kept goes to the store. */
  function waitUntil(row: Kept, dueAt: number, payload: DueEntry['payload']): void {
    leavePlace(row);
    row.entry = { ...row.entry, dueAt, payload };
    takePlace(row);
    row.dueIn = clock.monotonic() + dueAt - clock.now();
    row.heldUntil = 0;
    announce(row.entry);
    if (dueAt - clock.now() > KEPT_MS) move([row]).catch(trouble.failed);
  }

  const isMoving = (queue: string, lane: string): boolean =>
    moves > 0 && [...(byLane.get(keyOf(queue, lane)) ?? [])].some(({ moving }) => moving !== null);

  async function claimNow(options: Parameters<DueTimes['claim']>[0]): Promise<readonly ClaimedEntry[]> {
    const { queue, lane, now, limit, leaseMs } = options;
    const ask = dueIn(queue, lane, now, 1).length === 0 || stored.mayHave(queue, lane, now);
    const found = ask ? await inner.claim(options) : [];
    if (ask && found.length < limit) stored.usedUp(queue, lane);
    // The write without an answer has taken place.
    for (const row of keptOf(
      queue,
      found.map(({ id }) => id),
    ))
      if (row.inDoubt) forget(row);
    const kept = dueIn(queue, lane, now, limit - found.length);
    return [...found, ...kept.map((row) => claimed(row, now + leaseMs))];
  }

  const keptOf = (queue: string, ids: readonly string[]): readonly Kept[] =>
    ids.flatMap((id) => rows.get(keyOf(queue, id)) ?? []);

  /** Resolves when the store has these rows, or they have ended. */
  async function moved(some: readonly Kept[]): Promise<void> {
    await ofMoving(some);
    await moveAll(some.filter((row) => rows.get(keyOf(row.entry.queue, row.entry.id)) === row));
  }

  return {
    async schedule(entries, open) {
      const known = entries.map(({ queue, id }) => rows.get(keyOf(queue, id)));
      const fresh = entries.filter((_, index) => known[index] === undefined);
      const there = known.filter((row) => row !== undefined);
      if (!open) {
        await Promise.all([fresh.length > 0 && inner.schedule(fresh), moved(there)]);
        return;
      }
      const last = clock.now() + KEPT_MS;
      const room = MOST_KEPT - rows.size;
      const kept = fresh.filter(({ dueAt }) => dueAt <= last).slice(0, Math.max(0, room));
      const keptOnce = kept.map((entry) => rows.get(keyOf(entry.queue, entry.id)) ?? keep(entry));
      for (const row of [...there, ...keptOnce]) open.until(row.ended);
      const keptNow = new Set(kept);
      const rest = fresh.filter((entry) => !keptNow.has(entry));
      if (rest.length > 0) await inner.schedule(rest);
    },

    async claim(options) {
      const taken: ClaimedEntry[] = [];
      do {
        await movingIn(options.queue, options.lane);
        taken.push(...(await claimNow({ ...options, limit: options.limit - taken.length })));
        // Rows that began to move meanwhile are in neither place for a moment.
      } while (taken.length < options.limit && isMoving(options.queue, options.lane));
      return taken.sort((a, b) => a.dueAt - b.dueAt);
    },

    async settle(settlements) {
      const results = await Promise.all(settlements.map(settleKept));
      const rest = settlements.filter((_, index) => results[index] === null);
      const others = rest.length > 0 ? await inner.settle(rest) : [];
      let next = 0;
      return results.map((result) => result ?? others[next++] ?? false);
    },

    async reschedule(queue, id, dueAt) {
      const row = rows.get(keyOf(queue, id));
      await row?.moving?.catch(() => undefined);
      if (!row || row.inDoubt || rows.get(keyOf(queue, id)) !== row)
        return inner.reschedule(queue, id, dueAt);
      if (!isFree(row, clock.now())) return false;
      waitUntil(row, dueAt, row.entry.payload);
      return true;
    },

    async cancel(queue, ids) {
      await ofMoving(keptOf(queue, ids));
      for (const row of keptOf(queue, ids)) forget(row);
      await inner.cancel(queue, ids);
    },

    async lanes(queue, now) {
      const found = await stored.list(queue, () => inner.lanes(queue, now));
      const next = new Map(found.map(({ lane, nextDueAt }) => [lane, nextDueAt]));
      for (const row of rows.values()) {
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
      const ours = [...rows.values()].filter(
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
      return new Set([...found, ...keptOf(queue, ids).map(({ entry }) => entry.id)]);
    },

    onScheduled(listener) {
      const stops = [listen(listener), inner.onScheduled(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },

    async letGo() {
      await moved([...rows.values()]);
    },
  };
}
