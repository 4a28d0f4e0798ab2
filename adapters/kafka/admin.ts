/** Queries to the cluster, over one connection that is replaced after a failure. */
import type { Admin } from 'kafkajs';
import { unavailable, within, type Client, type OpenClient } from './client.js';
import type { KafkaLimits } from './limits.js';

/** Position of a group in one partition. */
export interface Place {
  readonly partition: number;
  /** Offset of the oldest message that still exists. */
  readonly low: bigint;
  /** Offset that the next message will get. */
  readonly high: bigint;
  /** Offset of the group's next message; `low` when it has not committed yet. */
  readonly next: bigint;
}

/** Offset that the next message of a partition will get. */
export type End = Pick<Place, 'partition' | 'high'>;

export interface Cluster {
  /** @throws StoreUnavailable */
  ask<T>(question: (admin: Admin) => Promise<T>, limitMs?: number): Promise<T>;
  /**
   * @param topic full name
   * @throws StoreUnavailable
   */
  ends(topic: string): Promise<readonly End[]>;
  /**
   * @param topic full name
   * @throws StoreUnavailable
   */
  places(topic: string, group: string): Promise<readonly Place[]>;
  close(): Promise<void>;
}

interface Connection {
  readonly client: Client;
  readonly admin: Promise<Admin>;
}

export function createCluster(open: OpenClient, brokers: readonly string[], limits: KafkaLimits): Cluster {
  let connection: Connection | undefined;
  let closed = false;
  const limit = limits.connectMs + 2 * limits.requestMs;

  function connect(): Connection {
    if (connection) return connection;
    const client = open();
    const admin = client.kafka.admin({ retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 1_000 } });
    connection = { client, admin: admin.connect().then(() => admin) };
    return connection;
  }

  function drop(failed: Connection): void {
    if (connection === failed) connection = undefined;
    failed.client.destroy();
  }

  async function ask<T>(question: (admin: Admin) => Promise<T>, limitMs = limit): Promise<T> {
    const what = `Kafka at ${brokers.join(',')} does not answer`;
    if (closed) throw unavailable(what, new Error('this client was closed'));
    const used = connect();
    try {
      return await within(limitMs, used.admin.then(question));
    } catch (error) {
      drop(used);
      throw unavailable(what, error);
    }
  }

  return {
    ask,

    ends: (topic) =>
      ask(async (admin) =>
        (await admin.fetchTopicOffsets(topic)).map(({ partition, high }) => ({
          partition,
          high: BigInt(high),
        })),
      ),

    places: (topic, group) =>
      ask(async (admin) => {
        // The group's offsets are read first: so the lag may appear too large, but never too small.
        const [committed] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
        const ends = await admin.fetchTopicOffsets(topic);
        return ends.map(({ partition, low, high }): Place => {
          const at = BigInt(
            committed?.partitions.find((place) => place.partition === partition)?.offset ?? -1,
          );
          const oldest = BigInt(low);
          return { partition, low: oldest, high: BigInt(high), next: at > oldest ? at : oldest };
        });
      }),

    async close() {
      closed = true;
      const last = connection;
      if (!last) return;
      await within(
        limits.requestMs,
        last.admin.then((admin) => admin.disconnect()),
      ).catch(() => undefined);
      drop(last);
    },
  };
}

/** Whether a group has reached an earlier end of a topic, so that it has handled everything published before. */
export const hasReached = (ends: readonly End[], places: readonly Place[]): boolean =>
  places.every((place) => place.next >= goal(ends, place));

/** Limited to the current end: a topic that was recreated has lost the messages that were waited for. */
function goal(ends: readonly End[], { partition, high }: Place): bigint {
  const then = ends.find((end) => end.partition === partition)?.high ?? 0n;
  return then < high ? then : high;
}

export const behind = (places: readonly Place[]): number =>
  places.reduce((sum, { high, next }) => sum + (high > next ? Number(high - next) : 0), 0);
