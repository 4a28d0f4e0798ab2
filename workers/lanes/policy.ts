/** What differs from one kind of work to another: how much of it may be under way, and which lane is next. */
import type { LaneState } from '../../ports/due-times.js';

/** Rows that are being worked on, in this process. */
export interface Load {
  readonly all: number;
  of(lane: string): number;
}

export interface Policy {
  /** How many more may begin over all lanes. While it is 0, nothing is looked for. */
  free(load: Load): number;
  /** How many more may begin in one lane before the others are looked at. */
  room(lane: string, load: Load): number;
  /** Which lane comes first. Given by due time. */
  order(lanes: readonly LaneState[], load: Load): readonly LaneState[];
}

/** So many at once, so many of one lane. Who has the least under way comes first, one row at a time. */
export const plain = (atOnce: number, perLane: number): Policy => ({
  free: ({ all }) => atOnce - all,
  room: (lane, load) => (load.of(lane) < perLane ? 1 : 0),
  order: (lanes, load) => [...lanes].sort((a, b) => load.of(a.lane) - load.of(b.lane)),
});

/** So many of one lane, then those of the next once all of them have ended: few claims for many short rows. */
export const inBatches = (size: number): Policy => ({
  free: ({ all }) => (all === 0 ? size : 0),
  room: () => size,
  order: (lanes) => lanes,
});
