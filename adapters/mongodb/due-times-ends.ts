/** Settling many rows as done at once. */
import type { Collection } from 'mongodb';
import type { Settlement } from '../../ports/due-times.js';
import { keyOf, WAITING, type Entry } from './due-times-entry.js';

/** From this number of rows on, the two commands of a bulk cost less than one command per row. */
export const WORTH_A_BULK = 3;

/**
 * Returns the settlements that took effect. The fences are read first, because a bulk reports how many operations took
 * effect, but not which. If not all did, another process claimed some rows in between, and the rows that still exist
 * are its own.
 */
export async function endAll(
  entries: Collection<Entry>,
  settlements: readonly Settlement[],
): Promise<ReadonlySet<Settlement>> {
  const idsOf = (some: readonly Settlement[]) => ({ $in: some.map(({ queue, id }) => keyOf(queue, id)) });
  const fences = async (some: readonly Settlement[]): Promise<ReadonlyMap<string, number>> => {
    const filter = { _id: idsOf(some), held_until: { $gt: WAITING } };
    type Held = Pick<Entry, '_id' | 'fence'>;
    const rows = await entries.find(filter).project<Held>({ fence: 1 }).toArray();
    return new Map(rows.map(({ _id, fence }) => [_id, fence]));
  };
  const asHeld = (held: ReadonlyMap<string, number>) => (settlement: Settlement) =>
    held.get(keyOf(settlement.queue, settlement.id)) === settlement.fence;
  const ours = settlements.filter(asHeld(await fences(settlements)));
  if (ours.length === 0) return new Set();
  const { deletedCount } = await entries.bulkWrite(
    ours.map(({ queue, id, fence }) => ({
      deleteOne: { filter: { _id: keyOf(queue, id), fence, held_until: { $gt: WAITING } } },
    })),
    { ordered: false },
  );
  if (deletedCount === ours.length) return new Set(ours);
  const left = new Set(
    (
      await entries
        .find({ _id: idsOf(ours) })
        .project<{ _id: string }>({ _id: 1 })
        .toArray()
    ).map(({ _id }) => _id),
  );
  return new Set(ours.filter(({ queue, id }) => !left.has(keyOf(queue, id))));
}
