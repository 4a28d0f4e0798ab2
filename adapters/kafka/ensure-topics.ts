/** Topics as they are declared. */
import type { Admin } from 'kafkajs';
import type { Logger } from '../../ports/logger.js';

export interface TopicShape {
  readonly partitions: number;
  /** Undefined: what the cluster is set to. */
  readonly replication: number | undefined;
}

/** A topic holds hints that can be derived again: a week of them outlives any outage worth waiting for. */
const RETENTION_MS = 7 * 24 * 3600 * 1000;

/**
 * Creates what is missing. What exists is left as it is: more partitions would move keys to other partitions, and so
 * lose their order, while messages are on the way.
 * @param topics full names
 */
export async function ensureTopics(
  admin: Admin,
  topics: readonly string[],
  shape: TopicShape,
  logger: Logger,
): Promise<void> {
  const existing = new Set(await admin.listTopics());
  const missing = topics.filter((topic) => !existing.has(topic));
  if (missing.length > 0) {
    // Another process may create them at the same moment: kafkajs answers that with false, not with an error.
    await admin.createTopics({
      topics: missing.map((topic) => ({
        topic,
        numPartitions: shape.partitions,
        replicationFactor: shape.replication ?? -1,
        configEntries: [
          { name: 'cleanup.policy', value: 'delete' },
          { name: 'retention.ms', value: String(RETENTION_MS) },
          // One replica may be away, and still two have what was acknowledged.
          ...((shape.replication ?? 1) >= 3 ? [{ name: 'min.insync.replicas', value: '2' }] : []),
        ],
      })),
      waitForLeaders: true,
    });
  }
  const found = topics.filter((topic) => existing.has(topic));
  if (found.length === 0) return;
  const { topics: metadata } = await admin.fetchTopicMetadata({ topics: found });
  for (const { name, partitions } of metadata) {
    if (partitions.length >= shape.partitions) continue;
    logger.warn(
      { topic: name, partitions: partitions.length, declared: shape.partitions },
      'kafka topic has fewer partitions than declared: fewer consumers can share its work',
    );
  }
}
