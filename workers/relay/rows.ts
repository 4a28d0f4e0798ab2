/**
 * Rows of messages, written late and cancelled together (docs/adr/0034). A message that is handled before its row was
 * to be written gets none. A row that should have been cancelled and remains does no harm: its message is published
 * once more, after minutes, and handling it again changes nothing.
 */
import type { Clock } from '../../ports/clock.js';
import type { DueEntry, DueTimes } from '../../ports/due-times.js';
import type { Position } from '../../ports/event-store.js';

export interface Rows {
  /** Adds rows that `keep` will write. */
  add(rows: readonly DueEntry[], at: Position): void;
  /** Writes the rows up to this position whose messages were not handled. @throws StoreUnavailable */
  keep(upTo: Position): Promise<void>;
  forget(): void;
  /** Notes that this process has written rows itself. */
  wrote(): void;
  /** Cancels these messages' rows, at once or later, or keeps them from being written. @throws StoreUnavailable */
  handled(queue: string, ids: readonly string[]): Promise<void>;
  /**
   * Cancels the rows that are still to be cancelled; a row that cannot be cancelled comes back later.
   * @throws StoreUnavailable
   */
  flush(): Promise<void>;
}

interface Late {
  readonly row: DueEntry;
  readonly at: Position;
  /** The row is being written. */
  writing: boolean;
  /** A row may exist already: from before the start, or of a write that was cut off. */
  maybeThere: boolean;
  handled: boolean;
}

/** Longer than any process takes to write a row after its message was published. */
const TAKE_AWAY_AFTER_MS = 2_000;
/** A process that published within this time knows which rows exist. */
const OWN_MS = 10_000;
/** Messages published this soon after a start may have rows from before it. */
const BEGINS_MS = 10_000;
const MOST_TO_GO = 10_000;

type Ids = Map<string, Set<string>>;

export function createRows(deps: {
  readonly dueTimes: Pick<DueTimes, 'schedule' | 'cancel'>;
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
}): Rows {
  const { dueTimes, clock } = deps;
  const late = new Map<string, Late>();
  let publishedAt = -Infinity;
  let beganAt: number | null = null;
  /** Ids of messages handled some time ago, and recently. */
  let older: Ids = new Map();
  let younger: Ids = new Map();
  let cancelTimer: (() => void) | undefined;

  const keyOf = ({ queue, id }: Pick<DueEntry, 'queue' | 'id'>): string => `${queue}\n${id}`;

  /** False where a row exists, or may exist. */
  function takeBack(key: string): boolean {
    const found = late.get(key);
    if (!found) return false;
    if (found.writing) {
      found.handled = true;
      return true;
    }
    late.delete(key);
    return !found.maybeThere;
  }

  function later(queue: string, ids: Iterable<string>): void {
    const known = younger.get(queue) ?? new Set();
    for (const id of ids) known.add(id);
    younger.set(queue, known);
    cancelTimer ??= clock.after(TAKE_AWAY_AFTER_MS, tick);
  }

  /** Cancels the older ids only: rows of messages handled recently may still be about to be written. */
  function tick(): void {
    cancelTimer = undefined;
    const ripe = older;
    older = younger;
    younger = new Map();
    if (older.size > 0) cancelTimer = clock.after(TAKE_AWAY_AFTER_MS, tick);
    takeAway(ripe).catch(() => {
      for (const [queue, ids] of ripe) later(queue, ids);
    });
  }

  async function takeAway(ids: Ids): Promise<void> {
    await Promise.all([...ids].map(([queue, some]) => dueTimes.cancel(queue, [...some])));
  }

  const toGo = (): number =>
    [...older.values(), ...younger.values()].reduce((sum, { size }) => sum + size, 0);

  async function flush(): Promise<void> {
    cancelTimer?.();
    cancelTimer = undefined;
    for (const [queue, ids] of younger) older.set(queue, new Set([...(older.get(queue) ?? []), ...ids]));
    const all = older;
    older = new Map();
    younger = new Map();
    await takeAway(all);
  }

  return {
    add(rows, at) {
      publishedAt = clock.monotonic();
      beganAt ??= publishedAt;
      const begins = publishedAt - beganAt < BEGINS_MS;
      for (const row of rows) {
        const maybeThere = begins || late.get(keyOf(row))?.maybeThere === true;
        late.set(keyOf(row), { row, at, writing: false, maybeThere, handled: false });
      }
    },
    async keep(upTo) {
      const open = [...late].filter(([, { at }]) => at <= upTo);
      for (const [, one] of open) {
        one.writing = true;
        one.maybeThere = true;
      }
      try {
        if (open.length > 0) await dueTimes.schedule(open.map(([, { row }]) => row));
      } catch (error) {
        for (const [, one] of open) one.writing = false;
        throw error;
      } finally {
        for (const [key, one] of open) {
          if (one.handled) later(one.row.queue, [one.row.id]);
          if ((one.handled || one.writing) && late.get(key) === one) late.delete(key);
        }
      }
    },
    forget() {
      late.clear();
      beganAt = null;
      publishedAt = -Infinity;
    },
    wrote() {
      publishedAt = clock.monotonic();
    },
    async handled(queue, ids) {
      const rest = ids.filter((id) => !takeBack(keyOf({ queue, id })));
      if (rest.length === 0) return;
      if (clock.monotonic() - publishedAt < OWN_MS) return dueTimes.cancel(queue, rest);
      later(queue, rest);
      if (toGo() > MOST_TO_GO) await flush();
    },
    flush,
  };
}
