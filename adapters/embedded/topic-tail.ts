/**
 * The newest messages of a topic in memory. A consumer that keeps up reads each message right after the commit that
 * stored it, and so needs no query.
 */

export interface StoredMessage {
  readonly offset: number;
  readonly key: string;
  readonly value: string;
}

export interface TopicTail {
  /** Follows the messages added before, without a gap. */
  add(message: StoredMessage): void;
  /** The messages after this offset, at most `limit`; undefined when older ones than these are needed. */
  after(offset: number, limit: number): readonly StoredMessage[] | undefined;
}

const MOST = 500;

export function createTopicTail(): TopicTail {
  let messages: StoredMessage[] = [];
  return {
    add(message) {
      messages.push(message);
      if (messages.length > 2 * MOST) messages = messages.slice(-MOST);
    },
    after(offset, limit) {
      const [first] = messages;
      if (!first || offset + 1 < first.offset) return undefined;
      const from = offset + 1 - first.offset;
      return messages.slice(from, from + limit);
    },
  };
}
