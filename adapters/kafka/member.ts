/** One membership of a consumer group, from joining until it breaks or is ended. kafkajs does not have to repair it. */
import type { Clock } from '../../ports/clock.js';
import type { Batches } from './batches.js';
import { within, type OpenClient } from './client.js';
import type { KafkaLimits } from './limits.js';
import type { Membership } from './membership.js';

export interface Member {
  /** Resolves with the reason when the membership is broken; never when it was ended. */
  readonly broken: Promise<unknown>;
  /** Whether it received an assignment at least once. */
  joined(): boolean;
  /** Waits for current batches, leaves the group and closes the connections. */
  end(): Promise<void>;
  /** Ends it as if the process had died. */
  abandon(): void;
}

const LOOK_EVERY_MS = 1_000;
/** kafkajs may stop working without an error; nothing it does takes longer than a rebalance and some requests. */
const silence = (limits: KafkaLimits): number => limits.rebalanceMs + 6 * limits.requestMs;

export function join(deps: {
  readonly open: OpenClient;
  /** Full names. */
  readonly topic: string;
  readonly group: string;
  readonly partitionsAtOnce: number;
  readonly limits: KafkaLimits;
  readonly batches: Batches;
  readonly clock: Clock;
}): Member {
  const { open, topic, group, partitionsAtOnce, limits, batches, clock } = deps;
  const client = open();
  const membership: Membership = { assignment: 0, refused: undefined, over: false };
  const consumer = client.kafka.consumer({
    groupId: group,
    allowAutoTopicCreation: false,
    sessionTimeout: limits.sessionMs,
    heartbeatInterval: limits.heartbeatMs,
    rebalanceTimeout: limits.rebalanceMs,
    maxWaitTimeInMs: limits.fetchWaitMs,
    // Limited, because messages that are not handled within one slice of time are fetched again.
    maxBytesPerPartition: 256 * 1024,
    retry: {
      retries: 5,
      initialRetryTime: 100,
      maxRetryTime: 1_000,
      restartOnFailure: () => Promise.resolve(false),
    },
  });

  let lastSign = clock.monotonic();
  const { CRASH, GROUP_JOIN, REBALANCING, FETCH_START, FETCH, HEARTBEAT, END_BATCH_PROCESS } =
    consumer.events;
  for (const event of [FETCH_START, FETCH, HEARTBEAT, END_BATCH_PROCESS]) {
    consumer.on(event, () => void (lastSign = clock.monotonic()));
  }
  consumer.on(GROUP_JOIN, () => {
    lastSign = clock.monotonic();
    membership.assignment += 1;
    membership.refused = undefined;
  });

  consumer.on(REBALANCING, () => void batches.letGo());

  const starting = start();
  let cancelWatch: () => void = () => undefined;
  const broken = new Promise<unknown>((resolve) => {
    consumer.on(CRASH, ({ payload }) => resolve(payload.error));
    starting.catch(resolve);
    const look = (): void => {
      if (batches.inHand() > 0) lastSign = clock.monotonic();
      if (clock.monotonic() - lastSign > silence(limits)) resolve(new Error('kafkajs went silent'));
      cancelWatch = clock.after(LOOK_EVERY_MS, look);
    };
    cancelWatch = clock.after(LOOK_EVERY_MS, look);
  });

  async function start(): Promise<void> {
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: partitionsAtOnce,
      eachBatch: (payload) => batches.take(payload, membership),
    });
  }

  function abandon(): void {
    membership.over = true;
    cancelWatch();
    client.destroy();
  }

  return {
    broken,
    joined: () => membership.assignment > 0,
    async end() {
      // kafkajs forgets a disconnect during a join, and the member would stay in the group.
      await within(limits.requestMs, starting).catch(() => undefined);
      // It may fail while batches are still being handled.
      const left = consumer.disconnect().catch(() => undefined);
      await batches.idle();
      await within(limits.requestMs, left).catch(() => undefined);
      abandon();
    },
    abandon,
  };
}
