/** A database of its own on the MongoDB that MONGODB_URL names, which goes with it. */
import { randomUUID } from 'node:crypto';
import { MongoClient, type Db } from 'mongodb';

/** Undefined: suites that need a MongoDB are listed as skipped. */
export const mongodbUrl = process.env['MONGODB_URL'];

export interface TemporaryDatabase {
  readonly db: Db;
  /** The same database by a client of its own, as another process has it. */
  another(): Promise<Db>;
  /** Drops the database and closes every client. */
  close(): Promise<void>;
}

export async function temporaryDatabase(url: string): Promise<TemporaryDatabase> {
  const name = `recado-test-${randomUUID()}`;
  const clients: MongoClient[] = [];
  async function another(): Promise<Db> {
    const client = new MongoClient(url, { serverSelectionTimeoutMS: 5_000 });
    clients.push(client);
    await client.connect();
    return client.db(name);
  }
  const db = await another();
  return {
    db,
    another,
    async close() {
      await db.dropDatabase();
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}
