import type { Collection, Db, IndexDescription } from 'mongodb';

/**
 * Indexes that are there once most members of the replica set have them. By default all members have to build them: one
 * that is away would hold up the start of every process. A server that is no replica set refuses to be asked for that.
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
