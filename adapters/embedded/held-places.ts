/**
 * How far into each lane every row is held. A claim begins behind that place, so its cost does not grow with the rows that
 * are held: a channel whose customers get many messages each holds thousands of rows that wait for their turn.
 */
import { createCache } from '../../ports/cache.js';

/** A place in the order of a lane. Nothing need be there. */
export interface Place {
  readonly due_at: number;
  readonly seq: number;
}

export interface HeldPlaces {
  /** All rows up to there are held at `at`. Undefined where that is unknown: the lane has to be read from its start. */
  upTo(queue: string, lane: string, at: number): Place | undefined;
  /** Its row is held until then, and so is every row before it. */
  passed(queue: string, lane: string, place: Place, until: number): void;
  /** There may be a free row at this place from now on. */
  mayBeFree(queue: string, lane: string, place: Place): void;
}

interface HeldUpTo {
  readonly place: Place;
  /** When the first of these holds ends. */
  readonly until: number;
}

/** A lane that is forgotten is read from its start. */
const MOST_LANES = 10_000;

export const isBefore = (a: Place, b: Place): boolean =>
  a.due_at < b.due_at || (a.due_at === b.due_at && a.seq < b.seq);

export function createHeldPlaces(): HeldPlaces {
  const lanes = createCache<string, HeldUpTo>(MOST_LANES);
  const keyOf = (queue: string, lane: string): string => `${queue}\n${lane}`;

  return {
    upTo(queue, lane, at) {
      const key = keyOf(queue, lane);
      const known = lanes.get(key);
      if (known === undefined || known.until > at) return known?.place;
      lanes.delete(key);
      return undefined;
    },
    passed(queue, lane, place, until) {
      const key = keyOf(queue, lane);
      const known = lanes.get(key);
      if (known === undefined) lanes.set(key, { place, until });
      else if (isBefore(known.place, place)) lanes.set(key, { place, until: Math.min(known.until, until) });
    },
    mayBeFree(queue, lane, { due_at, seq }) {
      const key = keyOf(queue, lane);
      const known = lanes.get(key);
      if (known === undefined || isBefore(known.place, { due_at, seq })) return;
      lanes.set(key, { ...known, place: { due_at, seq: seq - 1 } });
    },
  };
}
