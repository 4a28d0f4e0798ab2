/**
 * One client for all MongoDB operations of this process.
 *
 * The driver gives up for good when its first attempt to connect fails: every later call reports that the topology is
 * closed. So that attempt is repeated here until it succeeds. From then on the driver reconnects by itself.
 */
import { MongoClient, MongoServerError, type Db, type MongoClientOptions } from 'mongodb';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { Logger } from '../../ports/logger.js';
import { systemClock } from '../clock/system.js';
import { bounded } from './bounded.js';

export interface Connection {
  readonly db: Db;
  /** Longest wait for an answer, milliseconds. */
  readonly answerMs: number;
  /**
   * For work whose duration grows with the data, such as building indexes. Uses separate connections, with a limit of
   * ten minutes for each answer. @throws StoreUnavailable
   */
  patiently<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** @throws StoreUnavailable with one sentence for the operator, without credentials */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  /** Also names the database; default `recado`. */
  readonly url: string;
  readonly logger: Logger;
  /** Default 5,000. */
  readonly answerMs?: number | undefined;
}

const DEFAULT_DATABASE = 'recado';
const PATIENCE_MS = 10 * 60_000;
const RECONNECT_MS = 500;
const REFUSED_CREDENTIALS: ReadonlySet<unknown> = new Set([13, 18, 8000]);

/** Returns at once, even if the server is unavailable. @throws Error when the address can't be read */
export function openConnection(options: ConnectionOptions): Connection {
  const { url, logger, answerMs = 5_000 } = options;
  const client = clientOf(url, answerMs, answerMs);
  const name = databaseOf(url);
  const db = client.db(name);
  const hosts = client.options.srvHost ?? client.options.hosts.map(String).join(', ');
  let patient: MongoClient | undefined;
  let closed = false;
  let cancelAgain: (() => void) | undefined;

  function connect(): void {
    client.connect().then(
      () => logger.debug({ hosts }, 'connected to MongoDB'),
      (error: unknown) => {
        if (closed) return;
        logger.debug({ err: error, hosts }, 'MongoDB is not there yet');
        cancelAgain = systemClock.after(RECONNECT_MS, connect);
      },
    );
  }
  connect();

  return {
    db,
    answerMs,
    patiently(work) {
      patient ??= clientOf(url, answerMs, PATIENCE_MS);
      return bounded(PATIENCE_MS, work(patient.db(name)));
    },
    async ping() {
      try {
        await bounded(answerMs, db.command({ ping: 1 }));
      } catch (error) {
        const cause = error instanceof StoreUnavailable ? error.cause : error;
        const refused = cause instanceof MongoServerError && REFUSED_CREDENTIALS.has(cause.code);
        const reason = refused
          ? 'refuses the user name and password it was given'
          : 'can not be reached, or does not answer in time';
        throw new StoreUnavailable(`MongoDB at ${hosts} ${reason}.`, { cause });
      }
    },
    async close() {
      closed = true;
      cancelAgain?.();
      await Promise.all([client.close(), patient?.close()]);
    },
  };
}

/** Replaces the driver's errors about an unreadable address: they repeat the address, with its password. */
function clientOf(url: string, answerMs: number, socketTimeoutMS: number): MongoClient {
  // Half of the total, so that after the loss of a server there is time for the driver's own retry.
  const half = Math.ceil(answerMs / 2);
  const options: MongoClientOptions = {
    appName: 'recado',
    serverSelectionTimeoutMS: half,
    connectTimeoutMS: half,
    waitQueueTimeoutMS: half,
    // Without it a paused or disconnected server would block a call for ever. `timeoutMS` has no effect in driver 7.
    socketTimeoutMS,
    heartbeatFrequencyMS: 2_000,
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: answerMs },
    readConcern: { level: 'local' },
    readPreference: 'primary',
  };
  try {
    return new MongoClient(url, options);
  } catch {
    throw new Error("MongoDB's address can not be read: it has to look like mongodb://host:27017/database.");
  }
}

function databaseOf(url: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/?]+\/([^?]+)/.exec(url)?.[1];
  return path === undefined ? DEFAULT_DATABASE : decodeURIComponent(path);
}
