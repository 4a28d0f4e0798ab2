/**
 * Types of the latest events, in memory: the history is read once for everybody who asks what came lately, and not once
 * for each of them.
 */
import { START, type EventStore, type Position } from '../ports/event-store.js';
import { nextTurn } from '../ports/waiting.js';
import type { Clock } from '../ports/clock.js';

export interface RecentEvents {
  /** Resolves when everything that was appended before the call is known. Those who ask together share the read. */
  refresh(): Promise<void>;
  /** Where the history ended, at most so many milliseconds ago. */
  endWithin(ms: number): Promise<Position>;
  /** Where it ended at the last refresh. */
  end(): Position;
  /** Whether the events after a position are all in memory. */
  covers(after: Position): boolean;
  /** The first event of these types after a position that is covered; null when there is none. */
  firstAfter(after: Position, types: readonly string[]): Position | null;
}

interface Seen {
  readonly position: Position;
  readonly type: string;
}

const KEPT = 10_000;
const PAGE = 500;
/** Further behind than this after a pause, it begins anew at the end: whoever needs more reads its own. */
const MOST_PAGES = 10;

export function createRecentEvents(deps: {
  readonly store: Pick<EventStore, 'readAll' | 'head'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}): RecentEvents {
  const { store, clock } = deps;
  /** Everything after `from` up to `to` is in `seen`. */
  let from: Position | null = null;
  let to = START;
  let seen: Seen[] = [];
  let readAt = -Infinity;
  let asked: Promise<void> | undefined;
  let reading: Promise<void> = Promise.resolve();

  async function beginAtEnd(): Promise<void> {
    const head = await store.head();
    seen = [];
    from = to = head;
  }

  async function read(): Promise<void> {
    const at = clock.monotonic();
    if (from === null) await beginAtEnd();
    else {
      let atEnd = false;
      for (let pages = 0; !atEnd; pages += 1) {
        if (pages === MOST_PAGES) {
          await beginAtEnd();
          break;
        }
        const page = await store.readAll({ after: to, limit: PAGE });
        for (const { position, type } of page.records) seen.push({ position, type });
        to = page.next;
        atEnd = page.atEnd;
      }
      const over = seen.length - KEPT;
      if (over > 0) from = seen.splice(0, over).at(-1)!.position;
    }
    readAt = at;
  }

  async function refreshSoon(): Promise<void> {
    // Who asks later may ask for what was appended since: a read under way is not theirs.
    await nextTurn();
    await reading.catch(() => undefined);
    asked = undefined;
    reading = read();
    await reading;
  }

  const refresh = (): Promise<void> => (asked ??= refreshSoon());
  const covers = (after: Position): boolean => from !== null && after >= from;

  return {
    refresh,
    end: () => to,
    async endWithin(ms) {
      if (clock.monotonic() - readAt > ms) await refresh();
      return to;
    },
    covers,
    firstAfter(after, types) {
      let first: Position | null = null;
      for (let index = seen.length - 1; index >= 0; index -= 1) {
        const { position, type } = seen[index]!;
        if (position <= after) break;
        if (types.includes(type)) first = position;
      }
      return first;
    },
  };
}
