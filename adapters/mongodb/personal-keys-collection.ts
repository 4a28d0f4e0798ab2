/** The collection of personal keys, for the two ports that use it. */
import type { Collection, Db } from 'mongodb';

export interface KeyDocument {
  /** Subject and generation: when two processes create the same generation, one of them is refused. */
  readonly _id: string;
  readonly subject: string;
  readonly generation: number;
  readonly company: string;
  readonly created_at: string;
  readonly sealed_key: string;
  /** Set only from the mark until the key is overwritten. */
  readonly doomed_at?: string;
  readonly destroyed_at?: string;
}

/** A key that was read or written is known to a majority. */
export const personalKeysOf = (db: Db): Collection<KeyDocument> =>
  db.collection('personal_keys', {
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
  });
