/** The documents of leases in MongoDB. Every write names the fence it builds on. */
import { MongoServerError, type Collection, type Db } from 'mongodb';
import { bounded } from './bounded.js';
import { createRenewals } from './leases-renewals.js';
import { json, rowOf, type LeaseDocument, type LeaseRow, type LeftBehind } from './leases-rows.js';

export interface LeaseTable {
  read(name: string): Promise<LeaseRow | null>;
  /** Takes the lease from the state `found`, under the next fence. Null when the row has changed since. */
  take(name: string, found: LeaseRow | null, holder: string, termMs: number): Promise<LeaseRow | null>;
  /** Raises the beat and saves `left`. False when the row is not this holder's, or has a later beat. */
  renew(row: LeaseRow, beat: number, left: LeftBehind): Promise<boolean>;
  /** Has no effect when the row is no longer this holder's. */
  free(row: LeaseRow, left: LeftBehind): Promise<void>;
  holders(): Promise<readonly { readonly name: string; readonly holder: string; readonly fence: number }[]>;
}

const DUPLICATE_KEY = 11000;

/** @param answerMs longest wait for an answer */
export function createLeaseTable(db: Db, answerMs = 5_000): LeaseTable {
  const leases: Collection<LeaseDocument> = db.collection('leases', {
    writeConcern: { w: 'majority', journal: true },
    readPreference: 'primary',
  });
  const answer = <T>(work: Promise<T>): Promise<T> => bounded(answerMs, work);
  const renewals = createRenewals(leases, answer);

  async function create(document: LeaseDocument): Promise<boolean> {
    try {
      await answer(leases.insertOne(document));
      return true;
    } catch (error) {
      if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return false;
      throw error;
    }
  }

  return {
    async read(name) {
      const found = await answer(leases.findOne({ _id: name }));
      return found && rowOf(found);
    },

    async take(name, found, holder, termMs) {
      const taken: LeaseDocument = {
        _id: name,
        holder,
        fence: (found?.fence ?? 0) + 1,
        beat: (found?.beat ?? 0) + 1,
        term_ms: termMs,
        left: json(found?.left ?? null),
      };
      if (found === null) return (await create(taken)) ? rowOf(taken) : null;
      const { _id, fence, beat, term_ms } = taken;
      const { matchedCount } = await answer(
        leases.updateOne(
          { _id, fence: found.fence, beat: found.beat, holder: found.holder },
          { $set: { holder, fence, beat, term_ms } },
        ),
      );
      return matchedCount === 1 ? rowOf(taken) : null;
    },

    renew: (row, beat, left) => renewals.add({ row, beat, left: json(left) }),

    async free({ name, fence, holder }, left) {
      await answer(
        leases.updateOne({ _id: name, fence, holder }, { $set: { holder: null, left: json(left) } }),
      );
    },

    async holders() {
      const held = await answer(
        leases
          .find({ holder: { $ne: null } })
          .sort({ _id: 1 })
          .toArray(),
      );
      return held.flatMap(({ _id, holder, fence }) => (holder === null ? [] : { name: _id, holder, fence }));
    },
  };
}
