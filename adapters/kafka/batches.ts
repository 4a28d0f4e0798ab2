/**
 * What becomes of the messages of a partition: handed over a few at a time in order, committed once handled, handed
 * over again after a pause when that failed, and let go when the partition may belong to somebody else.
 */
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import { isObject } from '../../domain/kernel/json.js';
import type { Clock } from '../../ports/clock.js';
import type { ConsumeOptions, TopicMessage } from '../../ports/topics.js';
import type { KafkaLimits } from './limits.js';

/** What one member of the group knows of its standing. */
export interface Membership {
  /** Rises with every assignment: what was fetched before one may belong to somebody else after it. */
  assignment: number;
  /** What the coordinator said when it last refused a heartbeat: the group is being shared out anew, or without us. */
  refused: Error | undefined;
  /** Nothing of this member counts any more. */
  over: boolean;
}

export interface Batches {
  /** For kafkajs. Resolves without an error when a batch was left, rejects when the member has to join again. */
  take(payload: EachBatchPayload, membership: Membership): Promise<void>;
  /** Partitions with a batch in hand. */
  inHand(): number;
  /** Resolves when no batch is in hand. */
  idle(): Promise<void>;
  stop(): void;
}

interface Failed {
  readonly offset: string;
  readonly size: number;
  readonly times: number;
}

const DEFAULT_BATCH = 100;
/**
 * kafkajs fetches from a broker again when every partition is done with what the last fetch brought, so one with a long
 * backlog lets the others have a turn after this while.
 */
const TURN_MS = 500;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

export function createBatches(deps: {
  readonly options: ConsumeOptions;
  readonly limits: KafkaLimits;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
  /** Something was committed. */
  readonly onCommit: () => void;
}): Batches {
  const { options, limits, clock, report, onCommit } = deps;
  const maxBatch = options.maxBatch ?? DEFAULT_BATCH;
  const failed = new Map<number, Failed>();
  const busy = new Map<number, Promise<void>>();
  let stopping = false;

  const decode = (partition: number, message: KafkaMessage): TopicMessage | undefined => {
    const offset = topicOffset(partition, message.offset);
    const value = parse(message.value);
    // Whoever wrote it, it was none of us; no later attempt could read it either.
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

    let at = 0;
    for (let next = messages[at]; next && clock.monotonic() < turnEnds; next = messages[at]) {
      if (!ours() || stopping || !payload.isRunning()) return;
      const { offset: first } = next;
      const before = failed.get(partition);
      const again = before?.offset === first ? before : undefined;
      const part = messages.slice(at, at + (again?.size ?? maxBatch));
      const handable = part.flatMap((message) => decode(partition, message) ?? []);
      try {
        if (handable.length > 0) await options.handle(handable);
      } catch (error) {
        const times = (again?.times ?? 0) + 1;
        failed.set(partition, { offset: first, size: part.length, times });
        report(error);
        // Nothing is resolved, so that the next fetch of this partition begins here; the others go on meanwhile.
        clock.after(pauseAfter(times), payload.pause());
        return;
      }
      failed.delete(partition);
      // Refused heartbeats say that a rebalance has begun, and until we join it our commits count. Once there is
      // another assignment, kafkajs would commit in its name what we were given under the last one.
      if (membership.assignment !== assignment || membership.over) return;
      at += part.length;
      const last = at === messages.length ? batch.lastOffset() : (part.at(-1) ?? next).offset;
      const offset = String(BigInt(last) + 1n);
      // Each time, and before the next: a crash repeats one such part, not a whole fetch. Resolved only when it is
      // committed, so that a commit without an answer is made up for by handling again.
      await payload.commitOffsetsIfNecessary({
        topics: [{ topic: batch.topic, partitions: [{ partition, offset }] }],
      });
      payload.resolveOffset(last);
      onCommit();
    }
  }

  /** kafkajs sends heartbeats between batches only. */
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
    if (membership.refused && !membership.over) throw membership.refused;
  }

  return {
    async take(payload, membership) {
      const { partition } = payload.batch;
      const before = busy.get(partition);
      if (before) {
        // Handled still by a member of the group that we were before.
        const resume = payload.pause();
        void before.finally(resume);
        return;
      }
      if (membership.over) return;
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

const REFUSALS = new Set(['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID']);

const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && 'type' in error && REFUSALS.has(String(error.type));

/** Doubles up to 5 s, half of it random. */
function pauseAfter(times: number): number {
  const full = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(times - 1, 10));
  return full / 2 + (Math.random() * full) / 2;
}
