/**
 * Lanes of a queue, each with its earliest entry that nobody holds; and the time when the first lease of a queue ends.
 */
import type { Collection } from 'mongodb';
import type { LaneState } from '../../ports/due-times.js';
import { WAITING, type Entry } from './due-times-entry.js';

interface Earliest {
  /** Name of the lane. */
  readonly _id: string;
  readonly due_at: number;
}

/** @param leftHeld there may be entries whose lease has run out */
export async function lanesOf(
  entries: Collection<Entry>,
  queue: string,
  now: number,
  leftHeld: boolean,
): Promise<readonly LaneState[]> {
  const [waiting, ranOut] = await Promise.all([
    // The sort follows the index and only the first of each group is used, so MongoDB jumps from lane to lane.
    // https://www.mongodb.com/docs/manual/core/aggregation-pipeline-optimization/
    entries
      .aggregate<Earliest>([
        { $match: { queue, held_until: WAITING } },
        { $sort: { lane: 1, due_at: 1 } },
        { $group: { _id: '$lane', due_at: { $first: '$due_at' } } },
      ])
      .toArray(),
    leftHeld
      ? entries
          .aggregate<Earliest>([
            { $match: { queue, held_until: { $gt: WAITING, $lte: now } } },
            { $group: { _id: '$lane', due_at: { $min: '$due_at' } } },
          ])
          .toArray()
      : [],
  ]);
  const earliest = new Map<string, number>();
  for (const { _id: lane, due_at } of [...waiting, ...ranOut]) {
    earliest.set(lane, Math.min(earliest.get(lane) ?? Infinity, due_at));
  }
  return [...earliest]
    .map(([lane, nextDueAt]): LaneState => ({ lane, nextDueAt }))
    .sort((a, b) => a.nextDueAt - b.nextDueAt);
}

/** When the first lease in each of these queues ends, or ended; a queue in which nothing is held is absent. */
export async function earliestEnds(
  entries: Collection<Entry>,
  queues: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await entries
    .aggregate<{ readonly _id: string; readonly end: number }>([
      { $match: { queue: { $in: [...queues] }, held_until: { $gt: WAITING } } },
      { $group: { _id: '$queue', end: { $min: '$held_until' } } },
    ])
    .toArray();
  return new Map(found.map(({ _id, end }) => [_id, end]));
}
