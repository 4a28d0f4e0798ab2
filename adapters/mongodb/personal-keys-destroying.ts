/** A key is destroyed in two steps: it is marked, and overwritten once no process can still trust its cache. */
import type { Collection } from 'mongodb';
import { LIVE, type KeyDocument } from './personal-keys-collection.js';

type Answer = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Marks this person's keys. Returns the keys to overwrite: this person's, and any others that a crash has left marked.
 *
 * @param now epoch milliseconds
 */
export async function markKeys(
  keys: Collection<KeyDocument>,
  answer: Answer,
  subject: string,
  now: () => number,
): Promise<readonly KeyDocument[]> {
  await answer(() =>
    keys.updateMany({ subject, ...LIVE }, { $set: { doomed_at: new Date(now()).toISOString() } }),
  );
  return answer(() => keys.find({ doomed_at: { $exists: true } }).toArray());
}

export async function overwriteKeys(
  keys: Collection<KeyDocument>,
  answer: Answer,
  doomed: readonly KeyDocument[],
): Promise<void> {
  await answer(() =>
    keys.updateMany(
      { _id: { $in: doomed.map(({ _id }) => _id) }, doomed_at: { $exists: true } },
      // From the mark on, what comes in is sealed with the next generation: it is the date of the erasure.
      [{ $set: { sealed_key: '', destroyed_at: '$doomed_at' } }, { $unset: 'doomed_at' }],
    ),
  );
}
