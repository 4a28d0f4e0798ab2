/** A consumer that survives any failure of the brokers: it joins its group again until it is stopped. */
import type { Clock } from '../../ports/clock.js';
import type { ConsumeOptions, Consumer } from '../../ports/topics.js';
import { behind, hasReached, type Cluster, type End } from './admin.js';
import { createBatches } from './batches.js';
import type { OpenClient } from './client.js';
import type { KafkaLimits } from './limits.js';
import { join, type Member } from './member.js';

export interface KafkaConsumer extends Consumer {
  readonly topic: string;
  readonly group: string;
  /** Ends it as if the process had died: current batches are neither awaited nor committed. */
  abandon(): void;
}

const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 15_000;
const FIRST_LOOK = 20;
const LONGEST_LOOK = 500;

export function createConsumer(
  deps: {
    readonly open: OpenClient;
    readonly cluster: Cluster;
    readonly limits: KafkaLimits;
    readonly clock: Clock;
    readonly prefix: string;
    readonly partitionsAtOnce: number;
    /** The brokers are unavailable, or refuse the consumer. */
    readonly onTrouble: (
      error: unknown,
      consumer: { readonly topic: string; readonly group: string },
    ) => void;
  },
  options: ConsumeOptions,
): KafkaConsumer {
  const { open, cluster, limits, clock, prefix, partitionsAtOnce, onTrouble } = deps;
  const topic = prefix + options.topic;
  // The group is for one topic only: members of a group must subscribe to the same topics, or kafkajs assigns
  // partitions that nobody reads.
  const group = `${topic}.${options.group}`;
  const names = { topic: options.topic, group: options.group };
  let stopping = false;
  let abandoned = false;
  let member: Member | undefined;
  const wakers = new Set<() => void>();

  const wake = (): void => {
    for (const waker of wakers) waker();
  };
  /** Resolves after a commit, when the consumer is stopped, or after `ms`. */
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        cancel();
        wakers.delete(done);
        resolve();
      };
      const cancel = clock.after(ms, done);
      wakers.add(done);
      if (stopping) done();
    });

  const batches = createBatches({
    options,
    limits,
    clock,
    onCommit: wake,
    report(error) {
      try {
        options.onError?.(error);
      } catch {
        // A listener that throws must not end the consumer, and no other listener could receive its error.
      }
    },
  });
  let stopped!: () => void;
  const untilStopped = new Promise<void>((resolve) => (stopped = resolve));

  async function run(): Promise<void> {
    for (let failures = 0; !stopping;) {
      member = join({ open, topic, group, partitionsAtOnce, limits, batches, clock });
      const trouble = await Promise.race([
        member.broken.then((error) => ({ error })),
        untilStopped.then(() => undefined),
      ]);
      if (!abandoned) await member.end();
      if (!trouble || stopping) return;
      failures = member.joined() ? 1 : failures + 1;
      onTrouble(trouble.error, names);
      await pause(jitter(Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures - 1, 10))));
    }
  }
  const done = run();

  function end(): Promise<void> {
    stopping = true;
    stopped();
    wake();
    return done;
  }

  async function stop(): Promise<void> {
    stopping = true;
    batches.stop();
    // The work of open batches must be in the store before another member gets the partitions.
    await batches.idle();
    await batches.letGo();
    await end();
  }

  return {
    ...names,
    stop,

    abandon() {
      abandoned = true;
      member?.abandon();
      batches.stop();
      void end();
    },

    async lag() {
      return behind(await cluster.places(topic, group));
    },

    async caughtUp() {
      let target: readonly End[] | undefined;
      for (let look = FIRST_LOOK; !stopping; look = Math.min(2 * look, LONGEST_LOOK)) {
        try {
          const places = await cluster.places(topic, group);
          target ??= places;
          if (hasReached(target, places)) return;
        } catch (error) {
          onTrouble(error, names);
        }
        await pause(look);
      }
    },
  };
}

const jitter = (ms: number): number => ms / 2 + (Math.random() * ms) / 2;
