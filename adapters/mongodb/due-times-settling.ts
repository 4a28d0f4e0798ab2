/** Settling of claimed entries: those of one entry in the order given, others in parallel. */
import type { Collection } from 'mongodb';
import type { Announcements } from '../../ports/announcements.js';
import type { DueTimes, Settlement } from '../../ports/due-times.js';
import { endAll, WORTH_A_BULK } from './due-times-ends.js';
import { keyOf, WAITING, type Entry } from './due-times-entry.js';

type Indexed = readonly [number, Settlement];

interface SettleOptions {
  readonly entries: Collection<Entry>;
  readonly answer: <T>(work: () => Promise<T>) => Promise<T>;
  readonly listeners: Pick<Announcements, 'announce'>;
  readonly setBack: () => number;
}

export function createSettle({ entries, answer, listeners, setBack }: SettleOptions): DueTimes['settle'] {
  async function settleOne(settlement: Settlement): Promise<boolean> {
    const { queue, id, fence } = settlement;
    const held = { _id: keyOf(queue, id), fence, held_until: { $gt: WAITING } };
    if (settlement.then === 'done') return (await entries.deleteOne(held)).deletedCount === 1;
    const { dueAt, payload } = settlement;
    const before = await entries.findOneAndUpdate(
      held,
      {
        $set: {
          held_until: WAITING,
          due_at: dueAt,
          set_back: setBack(),
          ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
        },
      },
      { projection: { lane: 1 } },
    );
    if (before === null) return false;
    listeners.announce({ queue, lane: before.lane, dueAt });
    return true;
  }

  return async (settlements) => {
    const effective = new Array<boolean>(settlements.length).fill(false);
    // Settlements of the same entry run in the order given, others in parallel.
    const sameEntry = new Map<string, Indexed[]>();
    for (const indexed of settlements.entries()) {
      const key = keyOf(indexed[1].queue, indexed[1].id);
      sameEntry.set(key, [...(sameEntry.get(key) ?? []), indexed]);
    }
    const ends = ([first, ...more]: readonly Indexed[]): boolean =>
      more.length === 0 && first?.[1].then === 'done';
    const all = [...sameEntry.values()];
    const together = all.filter(ends).flat();
    const bulk = together.length >= WORTH_A_BULK;
    await answer(() =>
      Promise.all([
        bulk && endTogether(together),
        ...all.map(async (same) => {
          if (bulk && ends(same)) return;
          for (const [index, settlement] of same) effective[index] = await settleOne(settlement);
        }),
      ]),
    );
    return effective;

    async function endTogether(some: readonly Indexed[]): Promise<void> {
      const ended = await endAll(
        entries,
        some.map(([, settlement]) => settlement),
      );
      for (const [index, settlement] of some) effective[index] = ended.has(settlement);
    }
  };
}
