/** Work queues on Apache Kafka. Their contents can be derived again from the history. */
import { systemClock } from '../clock/system.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { TopicLag, Topics } from '../../ports/topics.js';
import { behind, createCluster, hasReached } from './admin.js';
import { clientOpener, reason, within } from './client.js';
import { createConsumer, type KafkaConsumer } from './consumer.js';
import { ensureTopics } from './ensure-topics.js';
import { defaultLimits, type KafkaLimits } from './limits.js';
import { createPublisher } from './publisher.js';
import type { KafkaSettings } from './settings.js';

export interface KafkaOptions extends KafkaSettings {
  /** Appears in the logs of the brokers. */
  readonly clientId: string;
  /** Prefix of every topic and group name. Default: `recado.`. */
  readonly prefix?: string;
  /** For topics that are created: the most consumers that can share the work. Default: 12. */
  readonly partitions?: number;
  /** For topics that are created. Default: that of the cluster. */
  readonly replication?: number;
  /** Names, without the prefix, of all topics that are used. */
  readonly topics: readonly string[];
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly limits?: Partial<KafkaLimits>;
}

export interface Kafka {
  readonly topics: Topics;
  /**
   * Creates missing topics. A topic with fewer partitions than declared is left unchanged, with a warning.
   * @throws StoreUnavailable
   */
  ensureTopics(): Promise<void>;
  /** @throws StoreUnavailable with one sentence when no broker answers within a few seconds */
  ping(): Promise<void>;
  /**
   * Lag of each group, over the consumers of all processes. At most a second old.
   * @throws StoreUnavailable
   */
  lag(): Promise<readonly TopicLag[]>;
  /**
   * Marks the current end of a topic. The returned function reports whether every group of the topic has handled all
   * earlier messages; false also while the topic has no group.
   * @throws StoreUnavailable, both
   */
  mark(topic: string): Promise<() => Promise<boolean>>;
  /** Stops the consumers and waits, for a bounded time, for their current batches. */
  close(): Promise<void>;
}

const WARN_EVERY_MS = 60_000;
const LAG_FRESH_MS = 1_000;

/** Connects when it is needed and never gives up on an unavailable broker. */
export function openKafka(options: KafkaOptions): Kafka {
  const { brokers, topics, logger, prefix = 'recado.', partitions = 12, replication } = options;
  const clock = options.clock ?? systemClock;
  const limits = { ...defaultLimits, ...options.limits };
  const open = clientOpener(options, limits, logger);
  const cluster = createCluster(open, brokers, limits);
  const publisher = createPublisher({ open, prefix, limits, clock });
  const consumers = new Set<KafkaConsumer>();

  let warnedAt = -Infinity;
  function onTrouble(error: unknown, consumer: { readonly topic: string; readonly group: string }): void {
    if (clock.monotonic() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = clock.monotonic();
    logger.warn({ ...consumer, reason: reason(error) }, 'kafka consumer was cut off and keeps trying');
  }

  async function groupsOf(names: readonly string[]) {
    const { groups } = await cluster.ask((admin) => admin.listGroups());
    return names.flatMap((topic) => {
      const before = `${prefix}${topic}.`;
      const ids = groups.map(({ groupId }) => groupId).filter((id) => id.startsWith(before));
      return ids.sort().map((id) => ({ topic, group: id.slice(before.length), id }));
    });
  }

  async function measure(): Promise<TopicLag[]> {
    const found = await groupsOf(topics);
    return Promise.all(
      found.map(async ({ topic, group, id }) => ({
        topic,
        group,
        lag: behind(await cluster.places(prefix + topic, id)),
      })),
    );
  }
  let measured: { readonly at: number; readonly lag: ReturnType<typeof measure> } | undefined;

  return {
    topics: {
      publish: (messages) => publisher.publish(messages),
      consume(wanted) {
        const consumer = createConsumer(
          { open, cluster, limits, clock, prefix, partitionsAtOnce: partitions, onTrouble },
          wanted,
        );
        consumers.add(consumer);
        return {
          ...consumer,
          async stop() {
            await consumer.stop();
            consumers.delete(consumer);
          },
        };
      },
    },

    ensureTopics: () =>
      cluster.ask(
        (admin) =>
          ensureTopics(
            admin,
            topics.map((name) => prefix + name),
            { partitions, replication },
            logger,
            4 * limits.requestMs,
            clock,
          ),
        6 * limits.requestMs,
      ),

    async ping() {
      await cluster.ask((admin) => admin.describeCluster());
    },

    lag() {
      if (!measured || clock.monotonic() - measured.at > LAG_FRESH_MS) {
        const lag = measure();
        measured = { at: clock.monotonic(), lag };
        lag.catch(() => (measured = undefined));
      }
      return measured.lag;
    },

    async mark(topic) {
      const ends = await cluster.ends(prefix + topic);
      return async () => {
        const groups = await groupsOf([topic]);
        const places = await Promise.all(groups.map(({ id }) => cluster.places(prefix + topic, id)));
        return groups.length > 0 && places.every((of) => hasReached(ends, of));
      };
    },

    async close() {
      const stopping = Promise.all([...consumers].map((consumer) => consumer.stop()));
      await within(limits.closeMs, stopping).catch(() => {
        for (const consumer of consumers) consumer.abandon();
      });
      await Promise.all([publisher.close(), cluster.close()]);
    },
  };
}
