/** Moves entries forward that would wait longer because MongoDB's clock was set back (set-back.ts). */
import type { Collection, Filter } from 'mongodb';
import { WAITING, type Entry } from './due-times-entry.js';

const PAGE = 500;

/**
 * Entries written under a lower sum of steps become earlier by the difference, but not earlier than `now`. The ends of
 * leases move in the same way, and their holders keep them. May be repeated, and run by several processes at once.
 *
 * @param moved called for waiting entries that are due earlier now
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
          // An entry that was claimed or put back meanwhile has other times: the next pass checks it again.
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
