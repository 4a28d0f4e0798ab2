/** What came to wait longer because MongoDB's clock was set back comes forward (set-back.ts). */
import type { Collection, Filter } from 'mongodb';
import { WAITING, type Entry } from './due-times-entry.js';

const PAGE = 500;

/**
 * Entries written under a lower sum of steps come earlier by the difference, and at `now` at the earliest; so do the ends
 * of leases, whose holders keep them. May be repeated, and done by several processes at once.
 *
 * @param moved hears of what waits and is due earlier now
 */
export async function bringForward(
  entries: Collection<Entry>,
  { sum, now }: { readonly sum: number; readonly now: number },
  answer: <T>(work: () => Promise<T>) => Promise<T>,
  moved: (entry: Entry) => void,
): Promise<void> {
  for (let after = ''; ;) {
    const late: Filter<Entry> = {
      _id: { $gt: after },
      set_back: { $not: { $gte: sum } },
      $or: [{ due_at: { $gt: now } }, { held_until: { $gt: now } }],
    };
    const page = await answer(() => entries.find(late).sort({ _id: 1 }).limit(PAGE).toArray());
    const last = page.at(-1);
    if (!last) return;
    const changes = page.map((entry) => ({ entry, to: earlier(entry, sum, now) }));
    await answer(() =>
      entries.bulkWrite(
        changes.map(({ entry: { _id, fence, held_until, due_at }, to }) => ({
          // One that was claimed or put back meanwhile has other times: the next pass looks at it again.
          updateOne: { filter: { _id, fence, held_until, due_at }, update: { $set: to } },
        })),
        { ordered: false },
      ),
    );
    for (const { entry, to } of changes) if (to.held_until === WAITING) moved({ ...entry, ...to });
    after = last._id;
  }
}

function earlier(
  { due_at, held_until, set_back = 0 }: Entry,
  sum: number,
  now: number,
): Pick<Entry, 'due_at' | 'held_until'> & { readonly set_back: number } {
  const forward = (time: number, earliest: number): number =>
    time <= now ? time : Math.max(earliest, time - (sum - set_back));
  return {
    due_at: forward(due_at, now),
    held_until: forward(held_until, now),
    set_back: sum,
  };
}
