/**
 * The rows that a process keeps in memory (kept-rows.ts), by their names and lane by lane, with their claims. None is meant
 * to stay: a row whose time is over is handed to `late`.
 */
import { createAnnouncements } from '../../ports/announcements.js';
import type { Clock } from '../../ports/clock.js';
import type { ClaimedEntry, DueEntry, DueTimes } from '../../ports/due-times.js';
import { createRowsInOrder, type RowsInOrder } from './rows-in-order.js';
import { PassingMap } from '../../ports/passing.js';

/** A row is kept for this long. One that waits longer must not hold back the topic. */
export const KEPT_MS = 5_000;
const LOOK_EVERY_MS = 500;
/** Most rows in memory; all further rows go to the store. */
const MOST_KEPT = 2_000;

export interface KeptRow {
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

export interface RowsInMemory {
  /** How many more may be added. */
  room(): number;
  all(): Iterable<KeptRow>;
  find(queue: string, id: string): KeptRow | undefined;
  findAll(queue: string, ids: readonly string[]): readonly KeptRow[];
  inLane(queue: string, lane: string): readonly KeptRow[];
  /** The first of the lane's rows that are due and free. */
  due(queue: string, lane: string, dueBy: number, limit: number): readonly KeptRow[];
  /** Whether it is still kept. */
  has(row: KeptRow): boolean;
  add(entry: DueEntry): KeptRow;
  claim(row: KeptRow, heldUntil: number): ClaimedEntry;
  /** Nobody holds the row any more. */
  putBack(row: KeptRow, dueAt: number, payload: DueEntry['payload']): void;
  forget(row: KeptRow): void;
  /** Announces rows that were added or put back. */
  readonly onScheduled: DueTimes['onScheduled'];
}

const keyOf = (queue: string, id: string): string => `${queue}\n${id}`;

export const isFree = (row: KeptRow, now: number): boolean =>
  row.moving === null && !row.inDoubt && row.heldUntil <= now;

/** @param late called with the rows that were kept for too long, or are in doubt, again and again while they are here */
export function createRowsInMemory(clock: Clock, late: (rows: readonly KeptRow[]) => void): RowsInMemory {
  const rows = new PassingMap<string, KeptRow>();
  const lanes = createLanes();
  const nextNumber = createNumbers(clock);
  const { add: onScheduled, announce } = createAnnouncements(queueMicrotask);
  let cancelLook: (() => void) | undefined;

  const has = (row: KeptRow): boolean => rows.get(keyOf(row.entry.queue, row.entry.id)) === row;

  function lookSoon(): void {
    cancelLook ??= clock.after(LOOK_EVERY_MS, () => {
      cancelLook = undefined;
      const now = clock.monotonic();
      late(
        [...rows.values()].filter(
          ({ since, moving, inDoubt }) => !moving && (inDoubt || now - since >= KEPT_MS),
        ),
      );
      if (rows.size > 0) lookSoon();
    });
  }

  return {
    room: () => Math.max(0, MOST_KEPT - rows.size),
    all: () => rows.values(),
    find: (queue, id) => rows.get(keyOf(queue, id)),
    findAll: (queue, ids) => ids.flatMap((id) => rows.get(keyOf(queue, id)) ?? []),
    inLane: (queue, lane) => [...lanes.rows(queue, lane)],
    has,
    onScheduled,

    /** Few are held: no more than are in progress. */
    due(queue, lane, dueBy, limit) {
      const found: KeptRow[] = [];
      for (const row of lanes.rows(queue, lane)) {
        if (row.entry.dueAt > dueBy || found.length >= limit) break;
        if (isFree(row, dueBy)) found.push(row);
      }
      return found;
    },

    add(entry) {
      const row = newRow(entry, clock, nextNumber());
      rows.set(keyOf(entry.queue, entry.id), row);
      lanes.take(row);
      announce(entry);
      lookSoon();
      return row;
    },

    claim(row, heldUntil) {
      row.heldUntil = heldUntil;
      row.fence = nextNumber();
      row.claims += 1;
      const until = (work?: Promise<unknown>): boolean => {
        const kept = has(row);
        if (kept && work) row.until.push(work);
        return kept;
      };
      return { ...row.entry, claims: row.claims, fence: row.fence, until };
    },

    putBack(row, dueAt, payload) {
      lanes.leave(row);
      row.entry = { ...row.entry, dueAt, payload };
      lanes.take(row);
      row.dueIn = clock.monotonic() + dueAt - clock.now();
      row.heldUntil = 0;
      announce(row.entry);
    },

    forget(row) {
      if (!has(row)) return;
      rows.delete(keyOf(row.entry.queue, row.entry.id));
      lanes.leave(row);
      if (row.until.length === 0) row.end();
      else void Promise.all(row.until).then(row.end);
      if (rows.size > 0) return;
      cancelLook?.();
      cancelLook = undefined;
    },
  };
}

function newRow(entry: DueEntry, clock: Clock, number: number): KeptRow {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const since = clock.monotonic();
  return {
    entry,
    since,
    dueIn: since + entry.dueAt - clock.now(),
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
}

/** Each lane's rows, in the order of claims. */
function createLanes() {
  const lanes = new PassingMap<string, RowsInOrder<KeptRow>>();

  return {
    rows: (queue: string, lane: string): Iterable<KeptRow> => lanes.get(keyOf(queue, lane)) ?? [],
    take(row: KeptRow): void {
      const lane = keyOf(row.entry.queue, row.entry.lane);
      let same = lanes.get(lane);
      if (!same) {
        same = createRowsInOrder<KeptRow>(({ entry: { dueAt }, seq }) => ({ dueAt, seq }));
        lanes.set(lane, same);
      }
      same.add(row);
    },
    leave(row: KeptRow): void {
      const lane = keyOf(row.entry.queue, row.entry.lane);
      const same = lanes.get(lane);
      same?.remove(row);
      if (same?.size() === 0) lanes.delete(lane);
    },
  };
}

/** Fences grow like those of the store, whose rows may be claimed after these under the same ids. */
function createNumbers(clock: Pick<Clock, 'now'>): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, clock.now() * 1_000 + Math.floor(Math.random() * 1_000));
    return last;
  };
}
