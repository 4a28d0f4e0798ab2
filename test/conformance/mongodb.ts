/** A new database on the server that MONGODB_URL names. It is dropped when the suite ends. */
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { openMongo, type Mongo, type MongoOptions } from '../../adapters/mongodb/open.js';
import { silentLogger } from '../../ports/logger.js';
import { testBox } from './embedded.js';
import { withDatabase } from '../support/mongo-url.js';

/** When undefined, suites that need a MongoDB are listed as skipped. */
export const mongoUrl = process.env['MONGODB_URL'];

export interface TemporaryDatabase {
  /** Address that includes the database name. */
  readonly url: string;
  /** Opens the adapters as another process would; they are closed with the database. */
  open(options?: Partial<MongoOptions>): Promise<Mongo>;
  /** Drops the database. */
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
      // mongo-java-server cannot drop a database in which an index was rebuilt; the data is lost with the server then.
      await client
        .db()
        .dropDatabase()
        .catch(() => undefined);
      await client.close();
    },
  };
}

/** A harness of the conformance suites for one port of MongoDB. */
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
