/** The stores on servers: EventStoreDB, MongoDB and Kafka. */
import { hostname } from 'node:os';
import { messageOf } from '../../ports/thrown.js';
import { openEventStoreDb } from '../../adapters/eventstoredb/open.js';
import { withStreamPrefix } from '../../adapters/eventstoredb/stream-prefix.js';
import { openKafka } from '../../adapters/kafka/open.js';
import { openMongo } from '../../adapters/mongodb/open.js';
import { KEYS_FRESH_MS } from '../../adapters/mongodb/personal-keys.js';
import { TOPICS } from '../../application/relay.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { SecretBox } from '../../ports/secret-box.js';
import { pause } from '../../ports/waiting.js';
import { createKeptRows } from '../../workers/lanes/kept-rows.js';
import { createThrottledErrorLog } from '../../workers/kernel/throttled-error-log.js';
import { startLostMessageSweeper, trackedTopics } from '../../workers/relay/lost-message-sweeper.js';
import type { S3Options } from '../../adapters/blobs/s3.js';
import { ConfigError, type RealStack } from '../config.js';
import { openBlobs } from './blobs.js';
import type { Part, Stores } from './stores.js';

export interface RealStackOptions {
  readonly settings: RealStack;
  readonly s3: S3Options | null;
  readonly dataDir: string;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** @throws ConfigError when a server does not answer in time, or an address is invalid */
export async function openRealStack(options: RealStackOptions): Promise<Stores> {
  const { settings, secretBox, clock, logger } = options;
  const { replication, ...kafkaSettings } = settings.kafka;
  const holder = `${hostname()}:${process.pid}`;
  const events = asConfigError('EVENTSTORE_URL', () =>
    openEventStoreDb({
      url: settings.eventStoreUrl,
      logger,
      clock,
    }),
  );
  const mongo = await asConfigError('MONGODB_URL', () =>
    openMongo({ url: settings.mongoUrl, secretBox, clock, logger, holder }),
  );
  const kafka = asConfigError('KAFKA_BROKERS', () =>
    openKafka({
      ...kafkaSettings,
      ...(replication === null ? {} : { replication }),
      clientId: `recado-${holder}`,
      topics: TOPICS,
      logger,
      clock,
    }),
  );
  const media = openBlobs(options);
  const close = async (): Promise<void> => {
    await Promise.allSettled([kafka.close(), events.close()]);
    await mongo.close();
  };
  const parts: readonly Part[] = [
    { name: 'event_store', ping: () => events.ping() },
    { name: 'read_models', ping: () => mongo.ping() },
    { name: 'topics', ping: () => kafka.ping() },
    ...media.parts,
  ];
  try {
    await answered(parts, settings.connectTimeoutMs, clock);
    await kafka.ensureTopics();
  } catch (error) {
    await close();
    throw error;
  }
  const { readModels, dueTimes, leases, personalKeys, sealedKeys } = mongo;
  const { overdueMs } = settings;
  const trouble = createThrottledErrorLog({ clock, logger }, 'storing rows that were kept in memory');
  const keptRows = createKeptRows(dueTimes, clock, trouble);
  return {
    eventStore: withStreamPrefix(events.eventStore, settings.streamPrefix),
    readModels,
    topics: trackedTopics(kafka.topics, { dueTimes, clock, overdueMs, letGo: () => keptRows.letGo() }),
    sweepIntents: () =>
      startLostMessageSweeper(
        { dueTimes, clock, logger },
        { publish: (messages) => kafka.topics.publish(messages), mark: (topic) => kafka.mark(topic) },
        { names: TOPICS, overdueMs },
      ),
    dueTimes: keptRows,
    personalKeys,
    sealedKeys,
    keysFreshMs: KEYS_FRESH_MS,
    serverTime: () => mongo.serverTime(),
    lags: () => kafka.lag(),
    leases,
    blobs: media.blobs,
    parts,
    close,
  };
}

const BETWEEN_TRIES_MS = 1_000;

/** Waits for servers that are still starting, as when everything is started together. */
async function answered(parts: readonly Part[], withinMs: number, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + withinMs;
  const silent = new Map(parts.map((part) => [part, `${part.name} has not been asked`]));
  for (;;) {
    await Promise.all(
      [...silent.keys()].map(async (part) => {
        try {
          await part.ping();
          silent.delete(part);
        } catch (error) {
          silent.set(part, sentence(error));
        }
      }),
    );
    if (silent.size === 0) return;
    if (clock.monotonic() > deadline) {
      throw new ConfigError(
        `After ${withinMs / 1000} s it still can not start: ${[...silent.values()].join(' ')} Check the address and that the server is up, or raise CONNECT_TIMEOUT_SECONDS.`,
      );
    }
    await pause(clock, BETWEEN_TRIES_MS);
  }
}

function asConfigError<T>(variable: string, open: () => T): T {
  const explain = (error: unknown): never => {
    const said = sentence(error);
    throw new ConfigError(said.startsWith(variable) ? said : `${variable}: ${said}`);
  };
  try {
    const opened = open();
    return opened instanceof Promise ? (opened.catch(explain) as T) : opened;
  } catch (error) {
    return explain(error);
  }
}

const sentence = (error: unknown): string => messageOf(error);
