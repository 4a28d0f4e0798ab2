/**
 * Caches results of a rarely changing read model for a second. The history invalidates them: an event that concerns the
 * read model ends a cached result as soon as this process receives it, which is before the read model applies it.
 */
import { createCache } from '../ports/cache.js';
import type { Clock } from '../ports/clock.js';
import type { Position } from '../ports/event-store.js';
import type { RecentEvents } from './recent-events.js';

export type RememberedReads = <T extends object>(key: string, read: () => Promise<T>) => Promise<T>;

interface Remembered {
  /** Shared by the callers that ask while it is read. */
  readonly answer: Promise<object>;
  /** Time at which the read began. */
  readonly at: number;
  /** The result reflects everything up to here. */
  shows: Position;
}

/** Longest use of a result: a subscription that silently stopped delivers no events to invalidate it. */
const FRESH_MS = 1_000;
const MOST = 1_000;

export function createRememberedReads(deps: {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly recent: Pick<RecentEvents, 'covers' | 'firstAfter' | 'end'>;
  /** Types of events that change the read model. */
  readonly handles: readonly string[];
  /** Reads from now on return everything up to this position. */
  readonly shownUpTo: () => Position | null;
}): RememberedReads {
  const { clock, recent, handles, shownUpTo } = deps;
  const answers = createCache<string, Remembered>(MOST);

  function stillHolds(remembered: Remembered): boolean {
    const { at, shows } = remembered;
    const end = recent.end();
    if (clock.monotonic() - at >= FRESH_MS || !recent.covers(shows)) return false;
    // A caller may have waited, by reading the history, for a later position than this process has received. The events
    // received so far cannot vouch for the result then.
    if (end < (shownUpTo() ?? end)) return false;
    if (recent.firstAfter(shows, handles) !== null) return false;
    if (end > shows) remembered.shows = end;
    return true;
  }

  return <T extends object>(key: string, read: () => Promise<T>): Promise<T> => {
    const known = answers.get(key);
    if (known && stillHolds(known)) return known.answer as Promise<T>;
    const shows = shownUpTo();
    const answer = read();
    if (shows === null) return answer;
    const remembered: Remembered = { answer, at: clock.monotonic(), shows };
    answers.set(key, remembered);
    answer.catch(() => {
      if (answers.get(key) === remembered) answers.delete(key);
    });
    return answer;
  };
}
