/** The differences between kinds of work: how many rows may be under way, and which lane is next. */
import type { LaneState } from '../../ports/due-times.js';

/** Rows being worked on in this process. */
export interface Load {
  readonly all: number;
  of(lane: string): number;
}

export interface Policy {
  /** How many more rows may begin over all lanes. While it is 0, the store is not asked for work. */
  free(load: Load): number;
  /** How many more rows may begin in one lane before the other lanes are considered. */
  room(lane: string, load: Load): number;
  /** The order in which to serve the lanes; they are given in order of due time. */
  order(lanes: readonly LaneState[], load: Load): readonly LaneState[];
}

/**
 * At most `atOnce` rows at once, and `perLane` of one lane. The lane with the least under way comes first, one row at a
 * time.
 */
export const plain = (atOnce: number, perLane: number): Policy => ({
  free: ({ all }) => atOnce - all,
  room: (lane, load) => (load.of(lane) < perLane ? 1 : 0),
  order: (lanes, load) => [...lanes].sort((a, b) => load.of(a.lane) - load.of(b.lane)),
});

/** At most `size` rows of one lane, and the next lane's once all of them have ended: few claims for many short rows. */
export const inBatches = (size: number): Policy => ({
  free: ({ all }) => (all === 0 ? size : 0),
  room: () => size,
  order: (lanes) => lanes,
});
