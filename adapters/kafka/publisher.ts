/**
 * Publishes with one request at a time; each request takes everything submitted meanwhile. Requests begin some
 * milliseconds apart: a message that comes alone is sent at once, and under load the number of requests has a limit. So
 * messages are stored in the order in which they were published, and a busy process sends few, full requests.
 */
import { CompressionTypes, Partitioners, type Producer } from 'kafkajs';
import type { Clock } from '../../ports/clock.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { NewMessage } from '../../ports/topics.js';
import { pause } from '../../ports/waiting.js';
import { reason, rootCause, unavailable, within, type Client, type OpenClient } from './client.js';
import type { KafkaLimits } from './limits.js';

export interface Publisher {
  /**
   * Resolves when all in-sync replicas have every message.
   * @throws StoreUnavailable: none, some or all may have been published; Error for a message that is too large
   */
  publish(messages: readonly NewMessage[]): Promise<void>;
  close(): Promise<void>;
}

/** One call of `publish`. */
interface Call {
  left: number;
  over: boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface Item {
  readonly call: Call;
  readonly topic: string;
  readonly key: string;
  readonly value: Buffer;
}

/** Well below the 1 MiB that a broker accepts for one partition, because a whole request may go into one. */
const REQUEST_BYTES = 512 * 1024;
/** Time between the beginnings of two requests. */
export const APART_MS = 20;
/** So many messages are worth a request of their own. */
const ENOUGH = 50;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 1_000;

export function createPublisher(deps: {
  readonly open: OpenClient;
  readonly prefix: string;
  readonly limits: KafkaLimits;
  readonly clock: Clock;
}): Publisher {
  const { open, prefix, limits, clock } = deps;
  let queue: Item[] = [];
  let sending: Promise<void> | undefined;
  let closed = false;
  let nextAt = -Infinity;
  let lastReason = 'no answer';
  let connected: { readonly client: Client; readonly producer: Producer } | undefined;

  async function connect(): Promise<Producer> {
    if (connected) return connected.producer;
    const client = open();
    // kafkajs must not retry by itself: it forgets the messages of a partition whose leader moves meanwhile to a broker
    // that has already answered.
    const producer = client.kafka.producer({
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: { retries: 0 },
    });
    try {
      await producer.connect();
    } catch (error) {
      client.destroy();
      throw error;
    }
    connected = { client, producer };
    return producer;
  }

  function encode({ topic, key, value }: NewMessage, call: Call): Item {
    const item = { call, topic: prefix + topic, key, value: Buffer.from(JSON.stringify(value)) };
    const bytes = size(item);
    if (bytes > limits.messageBytes) {
      throw new Error(
        `a message for topic ${topic} has ${bytes} bytes; at most ${limits.messageBytes} can be sent`,
      );
    }
    return item;
  }

  /** Takes the next request from the queue: messages in order, as many as fit. */
  function take(): Item[] {
    let bytes = 0;
    const end = queue.findIndex((item, n) => {
      bytes += size(item);
      return n > 0 && bytes > REQUEST_BYTES;
    });
    return queue.splice(0, end === -1 ? queue.length : end);
  }

  async function attempt(items: readonly Item[]): Promise<void> {
    const producer = await connect();
    const byTopic = new Map<string, { key: string; value: Buffer }[]>();
    for (const { topic, key, value } of items) {
      const messages = byTopic.get(topic);
      if (messages) messages.push({ key, value });
      else byTopic.set(topic, [{ key, value }]);
    }
    await producer.sendBatch({
      acks: -1,
      timeout: limits.requestMs,
      // Messages contain only a few identifiers: compressing them costs more than it saves.
      compression: CompressionTypes.None,
      topicMessages: [...byTopic].map(([topic, messages]) => ({ topic, messages })),
    });
  }

  async function send(items: readonly Item[]): Promise<void> {
    for (let wait = FIRST_PAUSE; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      const wanted = items.filter(({ call }) => !call.over);
      if (wanted.length === 0) return;
      try {
        await attempt(wanted);
        for (const { call } of wanted) {
          call.left -= 1;
          if (call.left === 0) call.resolve();
        }
        return;
      } catch (error) {
        lastReason = reason(error);
        if (!worthAnotherTry(error)) {
          for (const { call } of wanted) call.reject(unavailable('Kafka did not take the messages', error));
        } else if (wanted.some(({ call }) => !call.over)) {
          await pause(clock, wait);
        }
      }
    }
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const wait = nextAt - clock.monotonic();
      if (wait > 0 && queue.length < ENOUGH) await pause(clock, wait);
      nextAt = clock.monotonic() + APART_MS;
      await send(take());
    }
    sending = undefined;
  }

  return {
    publish(messages) {
      return new Promise((resolve, reject) => {
        if (closed) throw new StoreUnavailable('Kafka did not take the messages: this client was closed');
        const finish = (settle: () => void): void => {
          if (call.over) return;
          call.over = true;
          cancel();
          queue = queue.filter((item) => item.call !== call);
          settle();
        };
        const call: Call = {
          left: messages.length,
          over: false,
          resolve: () => finish(resolve),
          reject: (error) => finish(() => reject(error)),
        };
        const items = messages.map((message) => encode(message, call));
        const cancel = clock.after(limits.publishMs, () => {
          const said = `Kafka did not acknowledge the messages within ${limits.publishMs} ms: ${lastReason}`;
          call.reject(new StoreUnavailable(said));
        });
        if (items.length === 0) return call.resolve();
        queue.push(...items);
        sending ??= drain();
      });
    },

    async close() {
      closed = true;
      await sending;
      if (!connected) return;
      await within(limits.requestMs, connected.producer.disconnect()).catch(() => undefined);
      connected.client.destroy();
    },
  };
}

const size = ({ key, value }: Item): number => Buffer.byteLength(key) + value.length;

/** False for a refusal that a retry won't change: no permission, a wrong password. Unknown errors are retried. */
function worthAnotherTry(error: unknown): boolean {
  const cause = rootCause(error);
  return !(cause instanceof Error && 'retriable' in cause && cause.retriable === false);
}
