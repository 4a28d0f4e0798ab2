/**
 * Types of the latest events, in memory: the history is read once for everybody who asks what came lately, and not once
 * for each of them. Where events may be followed, they arrive by themselves as soon as somebody asks for a position.
 */
import { START, type EventStore, type Position, type Subscription } from '../ports/event-store.js';
import { nextTurn } from '../ports/waiting.js';
import type { Clock } from '../ports/clock.js';

export interface RecentEvents {
  /** Resolves when everything up to a position of the history is known. */
  reach(position: Position): Promise<void>;
  /** Where the history ended, at most so many milliseconds ago. */
  endWithin(ms: number): Promise<Position>;
  /** Up to where it is known. */
  end(): Position;
  /** Whether the events after a position are all in memory. */
  covers(after: Position): boolean;
  /** The first event of these types after a position that is covered; null when there is none. */
  firstAfter(after: Position, types: readonly string[]): Position | null;
  /** Resolves when no event arrives any more. */
  stop(): Promise<void>;
}

interface Seen {
  readonly position: Position;
  readonly type: string;
}

const KEPT = 10_000;
/** Forgotten together, so that not every event moves all others. */
const FORGOTTEN_AT_ONCE = 1_000;
const PAGE = 500;
/** An event that takes longer to arrive is read. */
const ARRIVES_WITHIN_MS = 50;
/** Further behind than this after a pause, it begins anew at the end: whoever needs more reads its own. */
const MOST_PAGES = 10;

export function createRecentEvents(deps: {
  readonly store: Pick<EventStore, 'readAll' | 'head'>;
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** Left out: whatever is asked for is read. */
  readonly follow?: EventStore['subscribe'];
}): RecentEvents {
  const { store, clock, follow } = deps;
  /** Everything after `from` up to `to` is in `seen`. */
  let from: Position | null = null;
  let to = START;
  let seen: Seen[] = [];
  let readAt = -Infinity;
  let asked: Promise<void> | undefined;
  let reading: Promise<void> = Promise.resolve();
  let following: Subscription | undefined;
  /** Nothing arrives as long as the store can't be reached. */
  let arriving = true;
  const waiting = new Set<{ readonly for: Position; readonly done: () => void }>();

  /** What is known already comes again by the other way. */
  function add(records: readonly Seen[], upTo: Position): void {
    for (const { position, type } of records) if (position > to) seen.push({ position, type });
    if (upTo <= to) return;
    to = upTo;
    if (seen.length > KEPT + FORGOTTEN_AT_ONCE)
      from = seen.splice(0, seen.length - KEPT).at(-1)?.position ?? from;
    for (const waiter of waiting) if (to >= waiter.for) waiter.done();
  }

  async function beginAtEnd(): Promise<void> {
    const head = await store.head();
    // Events that arrived meanwhile lie behind it: without them there would be a hole.
    if (from !== null && head < to) return;
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
        add(page.records, page.next);
        atEnd = page.atEnd;
      }
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

  /** Everything that was appended before the call is known. Those who ask together share the read. */
  const refresh = (): Promise<void> => (asked ??= refreshSoon());

  function arrived(position: Position): Promise<void> {
    return new Promise((resolve) => {
      const waiter = { for: position, done };
      const cancel = clock.after(ARRIVES_WITHIN_MS, done);
      function done(): void {
        cancel();
        waiting.delete(waiter);
        resolve();
      }
      waiting.add(waiter);
    });
  }

  async function reach(position: Position): Promise<void> {
    if (from !== null && position <= to) return;
    if (following && arriving) await arrived(position);
    if (from === null || position > to) await refresh();
    following ??= follow?.({
      after: to,
      onBatch(records, upTo) {
        arriving = true;
        add(records, upTo);
        return Promise.resolve();
      },
      onError: () => void (arriving = false),
    });
  }

  const covers = (after: Position): boolean => from !== null && after >= from;

  return {
    reach,
    end: () => to,
    async endWithin(ms) {
      if (clock.monotonic() - readAt > ms) await refresh();
      return to;
    },
    covers,
    firstAfter(after, types) {
      let first: Position | null = null;
      let index = seen.length - 1;
      for (let one = seen[index]; one && one.position > after; one = seen[(index -= 1)]) {
        if (types.includes(one.type)) first = one.position;
      }
      return first;
    },
    async stop() {
      await following?.stop();
    },
  };
}
