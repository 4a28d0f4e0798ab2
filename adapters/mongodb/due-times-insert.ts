/** Adds entries, except those that already exist. */
import { MongoBulkWriteError, type Collection } from 'mongodb';
import type { Entry } from './due-times-entry.js';

const DUPLICATE_KEY = 11000;

/** All entries exist when it resolves. Returns the indexes of those that existed before. */
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
    // Only duplicates prove that all entries exist. Driver 7 reports any other failure of a bulk as this error too,
    // such as a lost connection. Then it lists no refused entry, and nothing may have been stored.
    if (refused.length === 0 || refused.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    return new Set(refused.map(({ index }) => index));
  }
}
