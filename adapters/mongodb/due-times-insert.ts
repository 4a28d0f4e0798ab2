/** Entries that are added, but for those that are there. */
import { MongoBulkWriteError, type Collection } from 'mongodb';
import type { Entry } from './due-times-entry.js';

const DUPLICATE_KEY = 11000;

/** All of them are there when it resolves. Answers the places of those that were there already. */
export async function insertNew(
  entries: Collection<Entry>,
  fresh: readonly Entry[],
): Promise<ReadonlySet<number>> {
  try {
    await entries.insertMany([...fresh], { ordered: false });
    return new Set();
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
    const refused = [error.writeErrors].flat();
    // Only duplicates say that all of it is there. Driver 7 dresses whatever else ends a bulk as this error too, a
    // connection that was lost for one: it then lists nothing that was refused, and nothing may have been kept.
    if (refused.length === 0 || refused.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    return new Set(refused.map(({ index }) => index));
  }
}
