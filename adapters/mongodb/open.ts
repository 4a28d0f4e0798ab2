/** The MongoDB family of adapters: one client, and the ports that store their state there. */
import type { Clock } from '../../ports/clock.js';
import type { AdoptingDueTimes } from '../../ports/due-times.js';
import type { Leases } from '../../ports/leases.js';
import type { Logger } from '../../ports/logger.js';
import type { PersonalKeys } from '../../ports/personal-keys.js';
import type { ReadModels } from '../../ports/read-models.js';
import type { SealedKeys } from '../../ports/sealed-keys.js';
import type { SecretBox } from '../../ports/secret-box.js';
import { systemClock } from '../clock/system.js';
import { bounded } from './bounded.js';
import { openConnection } from './connection.js';
import { createDatedByServer } from './dated.js';
import { createLeaseTable } from './leases-table.js';
import { createLeases } from './leases.js';
import { createPersonalKeys } from './personal-keys.js';
import { createReadModels } from './read-models.js';
import { createSealedKeys } from './sealed-keys.js';

export interface MongoOptions {
  /** `mongodb://` or `mongodb+srv://`; the database is `recado` when the URL names none. */
  readonly url: string;
  readonly secretBox: SecretBox;
  readonly clock?: Clock;
  readonly logger: Logger;
  /** Name of this process in leases. */
  readonly holder: string;
  readonly limits?: {
    /** Longest wait for one answer, milliseconds. Default 5,000. */
    readonly answerMs?: number;
    /** How long a personal key may be used without reading it again, milliseconds. The same in every process. */
    readonly keysFreshMs?: number;
    /** How long a lease outlives the last renewal of its holder, milliseconds. Default 6,000. */
    readonly leaseTermMs?: number;
  };
}

export interface Mongo {
  readonly readModels: ReadModels;
  readonly dueTimes: AdoptingDueTimes;
  readonly leases: Leases;
  readonly personalKeys: PersonalKeys;
  readonly sealedKeys: SealedKeys;
  /** @throws StoreUnavailable with one sentence for the operator, without credentials */
  ping(): Promise<void>;
  /**
   * Milliseconds since the epoch by the server's clock; null when the server does not send it. Must be called
   * regularly: it moves due times forward after that clock was set back, so that they don't wait for the whole step.
   * @throws StoreUnavailable
   */
  serverTime(): Promise<number | null>;
  /** Releases the leases first, so that other processes can continue at once. */
  close(): Promise<void>;
}

/**
 * Resolves without waiting for a connection: `ping` detects an unavailable server. @throws Error when the address can't
 * be read
 */
export async function openMongo(options: MongoOptions): Promise<Mongo> {
  const { url, logger, secretBox, holder, clock = systemClock, limits = {} } = options;
  const connection = openConnection({ url, logger, answerMs: limits.answerMs });
  const { db, answerMs } = connection;
  const leases = createLeases(createLeaseTable(db, answerMs), { holder, clock, termMs: limits.leaseTermMs });
  async function askTime(): Promise<number | null> {
    const { localTime } = await bounded(answerMs, db.command({ hello: 1 }));
    return localTime instanceof Date ? localTime.getTime() : null;
  }
  const { dueTimes, setBack } = createDatedByServer(db, { clock, answerMs, serverTime: askTime });
  return {
    readModels: createReadModels(connection, logger, clock),
    dueTimes,
    leases,
    personalKeys: createPersonalKeys(db, { secretBox, clock, freshMs: limits.keysFreshMs, answerMs }),
    sealedKeys: createSealedKeys(db, answerMs),
    ping: () => connection.ping(),
    serverTime: () => setBack.time(),
    async close() {
      await setBack.rest();
      await leases
        .close()
        .catch((error: unknown) => logger.warn({ err: error }, 'leases run out instead of being let go'));
      await connection.close();
    },
  };
}
