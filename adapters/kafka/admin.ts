/** Questions to the cluster, over one connection that is made anew after a failure. */
import type { Admin } from 'kafkajs';
import { unavailable, within, type Client, type OpenClient } from './client.js';
import type { KafkaLimits } from './limits.js';

/** Where a group is in one partition. */
export interface Place {
  readonly partition: number;
  /** Oldest message that is still there. */
  readonly low: bigint;
  /** Where the next message will go. */
  readonly high: bigint;
  /** Next message of the group; `low` when it has none yet. */
  readonly next: bigint;
}

/** Where the next message of a partition will go. */
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
        // The group first: it may only seem further behind than it is.
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

/** Whether a group has come to where a topic ended at that time: all that was published before is behind it. */
export const hasReached = (ends: readonly End[], places: readonly Place[]): boolean =>
  places.every((place) => place.next >= goal(ends, place));

/** Not beyond the end as it is now: a topic that was made anew has lost what was waited for. */
function goal(ends: readonly End[], { partition, high }: Place): bigint {
  const then = ends.find((end) => end.partition === partition)?.high ?? 0n;
  return then < high ? then : high;
}

export const behind = (places: readonly Place[]): number =>
  places.reduce((sum, { high, next }) => sum + (high > next ? Number(high - next) : 0), 0);
