/** Combines the renewals of many leases that are due on the same beat into one command. */
import type { Collection } from 'mongodb';
import { systemClock } from '../clock/system.js';
import type { LeaseDocument, LeaseRow } from './leases-rows.js';

export interface Renewal {
  readonly row: Pick<LeaseRow, 'name' | 'fence' | 'holder'>;
  readonly beat: number;
  /** JSON. */
  readonly left: string | null;
}

interface Asked extends Renewal {
  readonly resolve: (renewed: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Timers of one beat fire within some milliseconds. */
const GATHER_MS = 5;

export function createRenewals(
  leases: Collection<LeaseDocument>,
  answer: <T>(work: Promise<T>) => Promise<T>,
): { readonly add: (renewal: Renewal) => Promise<boolean> } {
  let open: Asked[] = [];

  /** A bulk reports how many renewals took effect, but not which: if not all did, the rows are read. */
  async function renewAll(asked: readonly Renewal[]): Promise<readonly boolean[]> {
    const { matchedCount } = await answer(
      leases.bulkWrite(
        asked.map(({ row: { name, fence, holder }, beat, left }) => ({
          updateOne: {
            filter: { _id: name, fence, holder, beat: { $lt: beat } },
            update: { $set: { beat, left } },
          },
        })),
      ),
    );
    if (matchedCount === asked.length) return asked.map(() => true);
    if (matchedCount === 0) return asked.map(() => false);
    const names = asked.map(({ row }) => row.name);
    const found = await answer(leases.find({ _id: { $in: names } }).toArray());
    const stored = new Map(found.map((document) => [document._id, document]));
    return asked.map(({ row, beat }) => {
      const there = stored.get(row.name);
      return there?.fence === row.fence && there.holder === row.holder && there.beat === beat;
    });
  }

  function flush(): void {
    const asked = open;
    open = [];
    renewAll(asked).then(
      (renewed) => asked.forEach(({ resolve }, index) => resolve(renewed[index] ?? false)),
      (error: unknown) => asked.forEach(({ reject }) => reject(error)),
    );
  }

  return {
    add: (renewal) =>
      new Promise((resolve, reject) => {
        if (open.length === 0) systemClock.after(GATHER_MS, flush);
        open.push({ ...renewal, resolve, reject });
      }),
  };
}
