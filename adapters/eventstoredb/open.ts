/** The EventStore port over EventStoreDB 22.6 or later (KurrentDB speaks the same protocol). */
import { AccessDeniedError, BACKWARDS, END } from '@eventstore/db-client';
import type { Clock } from '../../ports/clock.js';
import { StoreUnavailable, type EventStore } from '../../ports/event-store.js';
import type { Logger } from '../../ports/logger.js';
import { systemClock } from '../clock/system.js';
import { createRunning } from '../embedded/running.js';
import { createAppend } from './append.js';
import { createCalls, readEvents } from './calls.js';
import { openClient } from './client.js';
import { createConnection } from './connection.js';
import { parseConnectionString, type ConnectionString } from './connection-string.js';
import { unavailable } from './errors.js';
import { DEFAULT_LIMITS, type Limits } from './limits.js';
import { createHighWater, sequenceOf } from './positions.js';
import { createReading } from './reading.js';
import { speaksTls } from './speaks-tls.js';
import { subscribe } from './subscription.js';

export interface EventStoreDbOptions {
  /** Connection string: esdb://, esdb+discover:// or the same with kurrentdb. */
  readonly url: string;
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly limits?: Partial<Limits>;
}

export interface EventStoreDb {
  readonly eventStore: EventStore;
  /** One small read of $all, without retries. @throws StoreUnavailable with one sentence, without credentials */
  ping(): Promise<void>;
  /**
   * Asks subscriptions to stop, without waiting for their current batches, and breaks off reads. Resolves when appends
   * in progress have ended, each within its own time limit.
   */
  close(): Promise<void>;
}

/**
 * Connects with the first call, so an unavailable server makes calls fail, not this function.
 * @throws Error with one sentence, without credentials, when the URL is malformed
 */
export function openEventStoreDb(options: EventStoreDbOptions): EventStoreDb {
  const { logger, clock = systemClock } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const target = parseConnectionString(options.url);
  if (target.ignored.length > 0) {
    logger.warn({ options: target.ignored }, 'options of EVENTSTORE_URL that have no effect');
  }
  // Subscriptions are long-lived, and on a common connection their errors would make requests fail as well.
  const requests = createConnection(() => openClient(target.text, limits));
  const subscriptions = createConnection(() => openClient(target.text, limits));
  const calls = createCalls({ connection: requests, target, clock, limits });
  const highWater = createHighWater();
  const reading = createReading({ calls, limits, logger, highWater });
  const running = createRunning();

  return {
    eventStore: {
      append: createAppend({ calls, read: reading.read, highWater }),
      ...reading,
      sequenceOf,
      subscribe: (request) =>
        running.track(
          subscribe(
            { connection: subscriptions, clock, limits, highWater, target, logger, readAll: reading.readAll },
            request,
          ),
        ),
    },
    async ping() {
      try {
        await calls.request(
          async (call) => {
            const events = call.client.readAll({ fromPosition: END, direction: BACKWARDS, maxCount: 1 });
            await readEvents(call, events, () => true);
          },
          { attempts: 1, subject: '$all' },
        );
      } catch (error) {
        const refused = unavailable(error, target);
        throw (await lacksTls(target, refused)) ?? refused;
      }
    },
    async close() {
      running.stopAll();
      await Promise.all([requests.close(), subscriptions.close()]);
    },
  };
}

/** The error for a server that uses TLS while EVENTSTORE_URL disables it; null otherwise. */
async function lacksTls(
  { tls, hosts }: ConnectionString,
  { cause }: StoreUnavailable,
): Promise<StoreUnavailable | null> {
  if (tls || cause instanceof AccessDeniedError) return null;
  const answers = await Promise.all(hosts.split(',').map(speaksTls));
  if (!answers.includes(true)) return null;
  const sentence = `EventStoreDB at ${hosts} speaks TLS, and EVENTSTORE_URL says tls=false: leave that out.`;
  return new StoreUnavailable(sentence, { cause });
}
