import type { Collection, Db, IndexDescription } from 'mongodb';

/**
 * Creates indexes and waits until most members of the replica set have built them. By default all members must: one
 * that is unavailable would block the start of every process. A server outside a replica set refuses this option.
 */
export async function createIndexes<T extends object>(
  db: Db,
  collection: Collection<T>,
  indexes: readonly IndexDescription[],
): Promise<void> {
  const { setName } = await db.command({ hello: 1 });
  const options = setName === undefined ? {} : { commitQuorum: 'majority' };
  await collection.createIndexes([...indexes], options);
}

/**
 * Creates the indexes with the first call. Calls meanwhile and later share its result; after a failure the next call
 * tries again.
 */
export function indexedOnce<T extends object>(
  db: Db,
  collection: Collection<T>,
  indexes: readonly IndexDescription[],
): () => Promise<unknown> {
  let indexed: Promise<unknown> | undefined;
  return () => {
    indexed ??= createIndexes(db, collection, indexes).catch((error: unknown) => {
      indexed = undefined;
      throw error;
    });
    return indexed;
  };
}
