/**
 * Types of the latest events, in memory. All callers that ask for recent events share one read of the history. Where a
 * subscription is possible, events arrive by themselves after the first request for a position.
 */
import { START, type EventStore, type Position, type Subscription } from '../ports/event-store.js';
import { yieldToEventLoop } from '../ports/waiting.js';
import type { Clock } from '../ports/clock.js';

export interface RecentEvents {
  /** Resolves when all events up to this position are known. */
  reach(position: Position): Promise<void>;
  /** The end of the history, at most this many milliseconds old. */
  endWithin(ms: number): Promise<Position>;
  /** Position up to which events are known. */
  end(): Position;
  /** True if all events after a position are in memory. */
  covers(after: Position): boolean;
  /** Position of the first event of these types after a covered position; null if no such event is known. */
  firstAfter(after: Position, types: readonly string[]): Position | null;
  /** Resolves when no more events can arrive. */
  stop(): Promise<void>;
}

interface Seen {
  readonly position: Position;
  readonly type: string;
}

const KEPT = 10_000;
/** Events removed together, so that not every new event shifts the whole list. */
const FORGOTTEN_AT_ONCE = 1_000;
const PAGE = 500;
/** Time to wait for an event to arrive by the subscription before it is read instead. */
const ARRIVES_WITHIN_MS = 50;
/**
 * Pages to catch up after a pause. Further behind, memory restarts at the end; callers that need older events read
 * them.
 */
const MOST_PAGES = 10;

export function createRecentEvents(deps: {
  readonly store: Pick<EventStore, 'readAll' | 'head'>;
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** Without it, events are always read. */
  readonly follow?: EventStore['subscribe'];
}): RecentEvents {
  const { store, clock, follow } = deps;
  /** `seen` contains everything after `from` up to `to`. */
  let from: Position | null = null;
  let to = START;
  let seen: Seen[] = [];
  let readAt = -Infinity;
  let asked: Promise<void> | undefined;
  let reading: Promise<void> = Promise.resolve();
  let following: Subscription | undefined;
  /** False while the subscription reports errors: the store cannot be reached, so no events arrive. */
  let arriving = true;
  const waiting = new Set<{ readonly for: Position; readonly done: () => void }>();

  /** Ignores events that reading and the subscription both deliver. */
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
    // Events up to `to` arrived meanwhile: restarting at the older head would leave a gap.
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
    // Waits for the next tick, and for any running read: a running read may miss events appended since it began.
    await yieldToEventLoop();
    await reading.catch(() => undefined);
    asked = undefined;
    reading = read();
    await reading;
  }

  /** Resolves when everything appended before the call is known. Calls in the same tick share one read. */
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
