/**
 * Processing of a partition's messages. They are passed to the handler a few at a time, in order, and committed once
 * handled. After a failure they are passed again after a pause. They are dropped when the partition may belong to
 * another member.
 */
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import { isObject } from '../../domain/kernel/json.js';
import type { Clock } from '../../ports/clock.js';
import type { ConsumeOptions, TopicMessage } from '../../ports/topics.js';
import { createCommits } from './commits.js';
import type { KafkaLimits } from './limits.js';
import { isRefusal, type Membership } from './membership.js';

export interface Batches {
  /** Called by kafkajs. Resolves even when a batch was abandoned; rejects when the member must join again. */
  take(payload: EachBatchPayload, membership: Membership): Promise<void>;
  /** Number of partitions whose batch is being handled. */
  inHand(): number;
  /** Resolves when no batch is being handled. */
  idle(): Promise<void>;
  /** Makes the work of open batches durable elsewhere, and commits what has ended. Never rejects. */
  letGo(): Promise<void>;
  stop(): void;
}

interface Failed {
  readonly offset: string;
  readonly size: number;
  readonly times: number;
}

const DEFAULT_BATCH = 100;
/**
 * kafkajs fetches from a broker again only when every partition has finished its part of the last fetch. So a partition
 * with a long backlog stops after this time and lets the others continue.
 */
const TURN_MS = 500;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

export function createBatches(deps: {
  readonly options: ConsumeOptions;
  readonly limits: KafkaLimits;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
  /** Called after each commit. */
  readonly onCommit: () => void;
}): Batches {
  const { options, limits, clock, report, onCommit } = deps;
  const maxBatch = options.maxBatch ?? DEFAULT_BATCH;
  const commits = createCommits({ clock, report, onCommit });
  const failed = new Map<number, Failed>();
  const busy = new Map<number, Promise<void>>();
  let stopping = false;

  const decode = (partition: number, message: KafkaMessage): TopicMessage | undefined => {
    const offset = topicOffset(partition, message.offset);
    const value = parse(message.value);
    // The message was not written by Recado, and no later attempt could read it either.
    if (!value)
      return void report(new Error(`message ${offset} of topic ${options.topic} is no JSON object`));
    return { topic: options.topic, key: message.key?.toString() ?? '', value, offset };
  };

  async function work(payload: EachBatchPayload, membership: Membership): Promise<void> {
    const { batch } = payload;
    const { partition, messages } = batch;
    const { assignment } = membership;
    const ours = (): boolean =>
      membership.assignment === assignment && !membership.refused && !membership.over && !payload.isStale();
    const turnEnds = clock.monotonic() + TURN_MS;
    const place = commits.begin(payload, membership);

    let at = 0;
    for (let next = messages[at]; next && clock.monotonic() < turnEnds; next = messages[at]) {
      if (!ours() || stopping || !payload.isRunning()) return;
      const { offset: first } = next;
      const before = failed.get(partition);
      const again = before?.offset === first ? before : undefined;
      const part = messages.slice(at, at + (again?.size ?? maxBatch));
      const handable = part.flatMap((message) => decode(partition, message) ?? []);
      const until: Promise<unknown>[] = [];
      const open = place.isNew(first)
        ? { until: (work: Promise<unknown>) => void until.push(work) }
        : undefined;
      try {
        if (handable.length > 0) await options.handle(handable, open);
      } catch (error) {
        const times = (again?.times ?? 0) + 1;
        failed.set(partition, { offset: first, size: part.length, times });
        report(error);
        // Nothing is resolved, so the next fetch of this partition starts here; the others continue meanwhile.
        clock.after(pauseAfter(times), payload.pause());
        return;
      }
      failed.delete(partition);
      // A refused heartbeat means that a rebalance has begun; until this member joins it, its commits still count.
      // After another assignment, kafkajs would commit messages of the last assignment under the new one.
      if (membership.assignment !== assignment || membership.over) return;
      at += part.length;
      const last = at === messages.length ? batch.lastOffset() : (part.at(-1) ?? next).offset;
      const offset = String(BigInt(last) + 1n);
      // Commits after each part, before the next one: a crash repeats one part, not a whole fetch. The offset is
      // resolved only after the commit, so a commit without an answer leads to handling the part again. The last part
      // may be committed with those of the next fetches.
      await place.passed(offset, until, at === messages.length);
      payload.resolveOffset(last);
    }
  }

  /** kafkajs sends heartbeats only between batches. */
  async function withHeartbeats(payload: EachBatchPayload, membership: Membership): Promise<void> {
    const beat = (): void => {
      if (membership.over) return;
      payload.heartbeat().catch((error: unknown) => {
        if (isRefusal(error)) membership.refused ??= error;
      });
      cancelBeat = clock.after(limits.heartbeatMs, beat);
    };
    let cancelBeat = clock.after(limits.heartbeatMs, beat);
    try {
      await work(payload, membership);
    } finally {
      cancelBeat();
    }
    // Makes kafkajs join again now rather than at its own next heartbeat.
    if (membership.refused && !membership.over) {
      await letGo();
      throw membership.refused;
    }
  }

  async function letGo(): Promise<void> {
    await options.letGo?.().catch(report);
    await commits.now();
  }

  return {
    async take(payload, membership) {
      const { partition } = payload.batch;
      const before = busy.get(partition);
      if (before) {
        // The previous membership of this process is still handling this partition.
        const resume = payload.pause();
        void before.finally(resume);
        return;
      }
      if (membership.over) return;
      // The member leaves its group once open batches have been let go.
      if (stopping) return void payload.pause();
      const running = withHeartbeats(payload, membership);
      busy.set(
        partition,
        running.catch(() => undefined),
      );
      try {
        await running;
      } finally {
        busy.delete(partition);
      }
    },
    inHand: () => busy.size,
    async idle() {
      await Promise.all(busy.values());
    },
    letGo,
    stop() {
      stopping = true;
    },
  };
}

/** Unique in a topic, growing within a partition: `<partition>:<offset, 20 digits>`. */
const topicOffset = (partition: number, offset: string): string => `${partition}:${offset.padStart(20, '0')}`;

function parse(value: Buffer | null): TopicMessage['value'] | undefined {
  try {
    const parsed: unknown = JSON.parse(String(value));
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Doubles up to 5 s, half of it random. */
function pauseAfter(times: number): number {
  const full = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(times - 1, 10));
  return full / 2 + (Math.random() * full) / 2;
}
