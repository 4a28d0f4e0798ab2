/** The documents of leases in MongoDB. Every write names the fence it builds on. */
import { MongoServerError, type Collection, type Db } from 'mongodb';
import { bounded } from './bounded.js';
import { createRenewals } from './leases-renewals.js';

export type LeftBehind = Readonly<Record<string, unknown>> | null;

export interface LeaseRow {
  readonly name: string;
  /** Null when it was let go. */
  readonly holder: string | null;
  readonly fence: number;
  readonly beat: number;
  /** The holder's term, milliseconds. */
  readonly termMs: number;
  readonly left: LeftBehind;
}

export interface LeaseTable {
  read(name: string): Promise<LeaseRow | null>;
  /** Takes it from `found`, under the next fence. Null when it is not as it was found any more. */
  take(name: string, found: LeaseRow | null, holder: string, termMs: number): Promise<LeaseRow | null>;
  /** Raises the beat and saves what is left. False when the row is not this holder's, or a later beat came first. */
  renew(row: LeaseRow, beat: number, left: LeftBehind): Promise<boolean>;
  /** Nothing happens when the row is not this holder's any more. */
  free(row: LeaseRow, left: LeftBehind): Promise<void>;
  holders(): Promise<readonly { readonly name: string; readonly holder: string; readonly fence: number }[]>;
}

export interface LeaseDocument {
  /** The name. */
  readonly _id: string;
  readonly holder: string | null;
  readonly fence: number;
  readonly beat: number;
  readonly term_ms: number;
  /** JSON, so that it comes back exactly as it was given. */
  readonly left: string | null;
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
      return held.map(({ _id, holder, fence }) => ({ name: _id, holder: holder!, fence }));
    },
  };
}

const json = (left: LeftBehind): string | null => (left === null ? null : JSON.stringify(left));

function rowOf({ _id, holder, fence, beat, term_ms, left }: LeaseDocument): LeaseRow {
  const opened = left === null ? null : (JSON.parse(left) as LeftBehind);
  return { name: _id, holder, fence, beat, termMs: term_ms, left: opened };
}
