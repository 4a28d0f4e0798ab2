/**
 * Answers of a read model that rarely changes, remembered for a second. The history says whether one still holds: an
 * event that concerns the read model ends it as soon as it has come to this process, which is before the read model
 * itself shows it.
 */
import { createCache } from '../ports/cache.js';
import type { Clock } from '../ports/clock.js';
import type { Position } from '../ports/event-store.js';
import type { RecentEvents } from './recent-events.js';

export type RememberedReads = <T extends object>(key: string, read: () => Promise<T>) => Promise<T>;

interface Remembered {
  readonly answer: object;
  /** When it was asked for. */
  readonly at: number;
  /** It shows everything up to here. */
  shows: Position;
}

/** A subscription that has come to a halt unnoticed tells of no event: it is not relied on for longer. */
const FRESH_MS = 1_000;
const MOST = 1_000;

export function createRememberedReads(deps: {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly recent: Pick<RecentEvents, 'covers' | 'firstAfter' | 'end'>;
  /** Types of events that change the read model. */
  readonly handles: readonly string[];
  /** What is read from now on shows everything up to there. */
  readonly shownUpTo: () => Position | null;
}): RememberedReads {
  const { clock, recent, handles, shownUpTo } = deps;
  const answers = createCache<string, Remembered>(MOST);

  function stillHolds(remembered: Remembered): boolean {
    const { at, shows } = remembered;
    const end = recent.end();
    if (clock.monotonic() - at >= FRESH_MS || !recent.covers(shows)) return false;
    // It may have been waited for up to there, by way of the history: what came to this process says too little then.
    if (end < (shownUpTo() ?? end)) return false;
    if (recent.firstAfter(shows, handles) !== null) return false;
    if (end > shows) remembered.shows = end;
    return true;
  }

  return async <T extends object>(key: string, read: () => Promise<T>): Promise<T> => {
    const known = answers.get(key);
    if (known && stillHolds(known)) return known.answer as T;
    const shows = shownUpTo();
    const at = clock.monotonic();
    const answer = await read();
    if (shows !== null) answers.set(key, { answer, at, shows });
    return answer;
  };
}
