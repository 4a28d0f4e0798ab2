/** Creation of the declared topics. */
import type { Admin } from 'kafkajs';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import { pause } from '../../ports/waiting.js';
import { rootCause, typeOf } from './client.js';

export interface TopicShape {
  readonly partitions: number;
  /** Undefined: the cluster's default. */
  readonly replication: number | undefined;
}

/** A topic holds hints that can be derived again: a week of them covers any outage worth waiting for. */
const RETENTION_MS = 7 * 24 * 3600 * 1000;

/** Errors of a broker that does not know a new topic yet, or its leader, or that it leads it itself. */
const NOT_YET: ReadonlySet<unknown> = new Set([
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
]);
const LOOK_AGAIN_MS = 100;

/**
 * Creates missing topics. Existing ones are not changed: more partitions would move keys to other partitions while
 * messages are in transit, which would break their order.
 * @param topics full names
 * @param waitMs longest wait until all of them can be written to
 */
export async function ensureTopics(
  admin: Admin,
  topics: readonly string[],
  shape: TopicShape,
  logger: Logger,
  waitMs: number,
  clock: Pick<Clock, 'monotonic' | 'after'>,
): Promise<void> {
  if (topics.length === 0) return;
  const end = clock.monotonic() + waitMs;
  const created = new Set<string>();
  for (;;) {
    const existing = new Set(await admin.listTopics());
    const missing = topics.filter((topic) => !existing.has(topic));
    if (missing.length > 0) await create(admin, missing, shape);
    for (const topic of missing) created.add(topic);
    const { partitions, why } = await led(admin, topics, created);
    if (partitions !== undefined) return warnOfFewer(partitions, created, shape, logger);
    if (clock.monotonic() >= end) throw why;
    await pause(clock, LOOK_AGAIN_MS);
  }
}

async function create(admin: Admin, topics: readonly string[], shape: TopicShape): Promise<void> {
  // Another process may create them at the same moment: kafkajs then returns false instead of an error.
  await admin.createTopics({
    topics: topics.map((topic) => ({
      topic,
      numPartitions: shape.partitions,
      replicationFactor: shape.replication ?? -1,
      configEntries: [
        { name: 'cleanup.policy', value: 'delete' },
        { name: 'retention.ms', value: String(RETENTION_MS) },
        // With one replica unavailable, two still have every acknowledged message.
        ...((shape.replication ?? 1) >= 3 ? [{ name: 'min.insync.replicas', value: '2' }] : []),
      ],
    })),
    // kafkajs treats a broker that does not know the topic yet as one that refuses it.
    waitForLeaders: false,
  });
}

interface Led {
  /** Number of partitions of each topic; absent until all topics can be written to. */
  readonly partitions?: ReadonlyMap<string, number>;
  readonly why?: unknown;
}

async function led(admin: Admin, names: readonly string[], created: ReadonlySet<string>): Promise<Led> {
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: [...names] });
    const all = topics.flatMap(({ partitions }) => partitions);
    if (all.length === 0 || all.some(({ leader }) => leader < 0))
      return { why: new Error('partitions have no leader yet') };
    // Brokers report the leader of a partition before it accepts writes. A publisher that is too early would write
    // twice.
    for (const topic of created) await admin.fetchTopicOffsets(topic);
    return { partitions: new Map(topics.map(({ name, partitions }) => [name, partitions.length])) };
  } catch (why) {
    if (!NOT_YET.has(typeOf(rootCause(why)))) throw why;
    return { why };
  }
}

function warnOfFewer(
  partitions: ReadonlyMap<string, number>,
  created: ReadonlySet<string>,
  shape: TopicShape,
  logger: Logger,
): void {
  for (const [topic, found] of partitions) {
    if (created.has(topic) || found >= shape.partitions) continue;
    logger.warn(
      { topic, partitions: found, declared: shape.partitions },
      'kafka topic has fewer partitions than declared: fewer consumers can share its work',
    );
  }
}
