/**
 * Lanes of a queue, each with its earliest entry that nobody holds; and the time when the first lease of a queue ends.
 */
import { MongoServerError, type Collection, type Document } from 'mongodb';
import type { LaneState } from '../../ports/due-times.js';
import { WAITING, type Entry } from './due-times-entry.js';

interface Earliest {
  /** Name of the lane. */
  readonly _id: string;
  readonly due_at: number;
}

type WaitingLanes = (queues: readonly string[]) => Promise<ReadonlyMap<string, readonly Earliest[]>>;

/** The code of a server that does not know a stage of a pipeline. */
const UNKNOWN_STAGE = 40324;

/**
 * The lanes of each queue, with the earliest of the entries that nobody has claimed. One command for all queues, since
 * a process lists many queues on one beat, and nearly all of them are empty.
 */
export function waitingLanesOf(entries: Collection<Entry>): WaitingLanes {
  let together = true;
  return async (queues) => {
    const [first, ...others] = queues;
    if (first !== undefined && others.length > 0 && together) {
      try {
        const found = await entries
          .aggregate<Earliest & { readonly queue: string }>([
            ...named(first),
            ...others.map((queue) => ({
              $unionWith: { coll: entries.collectionName, pipeline: named(queue) },
            })),
          ])
          .toArray();
        return new Map(queues.map((queue) => [queue, found.filter((lane) => lane.queue === queue)]));
      } catch (error) {
        if (!(error instanceof MongoServerError && error.code === UNKNOWN_STAGE)) throw error;
        // A compatible server without $unionWith.
        together = false;
      }
    }
    const each = queues.map(async (queue) => {
      return [queue, await entries.aggregate<Earliest>(waitingIn(queue)).toArray()] as const;
    });
    return new Map(await Promise.all(each));
  };
}

/**
 * The sort follows the index and only the first of each group is used, so MongoDB jumps from lane to lane.
 * https://www.mongodb.com/docs/manual/core/aggregation-pipeline-optimization/
 */
const waitingIn = (queue: string): Document[] => [
  { $match: { queue, held_until: WAITING } },
  { $sort: { lane: 1, due_at: 1 } },
  { $group: { _id: '$lane', due_at: { $first: '$due_at' } } },
];

const named = (queue: string): Document[] => [
  ...waitingIn(queue),
  { $addFields: { queue: { $literal: queue } } },
];

/** The lanes of a queue whose entries are held, but longer than their leases lasted. */
export async function ranOutLanes(
  entries: Collection<Entry>,
  queue: string,
  now: number,
): Promise<readonly Earliest[]> {
  return entries
    .aggregate<Earliest>([
      { $match: { queue, held_until: { $gt: WAITING, $lte: now } } },
      { $group: { _id: '$lane', due_at: { $min: '$due_at' } } },
    ])
    .toArray();
}

export function laneStates(found: readonly Earliest[]): readonly LaneState[] {
  const earliest = new Map<string, number>();
  for (const { _id: lane, due_at } of found) {
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
