/** A database of its own on the server that MONGODB_URL names, which goes when the suite ends. */
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { openMongo, type Mongo, type MongoOptions } from '../../adapters/mongodb/open.js';
import { silentLogger } from '../../ports/logger.js';
import { testBox } from './embedded.js';
import { withDatabase } from '../support/mongo-url.js';

/** Undefined: suites that need a MongoDB are listed as skipped. */
export const mongoUrl = process.env['MONGODB_URL'];

export interface TemporaryDatabase {
  /** Address that names the database. */
  readonly url: string;
  /** A process's view of it; closed with the database. */
  open(options?: Partial<MongoOptions>): Promise<Mongo>;
  /** Drops it. */
  close(): Promise<void>;
}

export function temporaryDatabase(server: string): TemporaryDatabase {
  const url = withDatabase(server, `recado_test_${randomUUID().replaceAll('-', '')}`);
  const opened: Mongo[] = [];
  return {
    url,
    async open(options = {}) {
      const holder = `test ${opened.length}`;
      const mongo = await openMongo({ url, secretBox: testBox, logger: silentLogger, holder, ...options });
      opened.push(mongo);
      return mongo;
    },
    async close() {
      await Promise.all(opened.map((mongo) => mongo.close()));
      const client = new MongoClient(url);
      // mongo-java-server can't drop a database in which an index was rebuilt; it goes with the server then.
      await client
        .db()
        .dropDatabase()
        .catch(() => undefined);
      await client.close();
    },
  };
}

/** Harness of the conformance suites: one port of MongoDB. */
export function mongoPort<T>(server: string, pick: (mongo: Mongo) => T, options: Partial<MongoOptions> = {}) {
  return async () => {
    const database = temporaryDatabase(server);
    let mongo = await database.open(options);
    return {
      store: pick(mongo),
      close: () => database.close(),
      reopen: async () => {
        await mongo.close();
        mongo = await database.open(options);
        return pick(mongo);
      },
    };
  };
}
