/**
 * The Topics port over SQLite. Offsets of a topic have no gaps and are assigned by the process that holds the folder.
 */
import type { Clock } from '../../ports/clock.js';
import type { NewMessage, TopicLag, TopicMessage, Topics } from '../../ports/topics.js';
import { createConsumer } from './topic-consumer.js';
import type { Db } from './database.js';
import { createGroup, type Group } from './group.js';
import { LIMIT } from './limit.js';
import type { Running } from './running.js';
import { createTopicTail, type StoredMessage, type TopicTail } from './topic-tail.js';
import type { Participant } from './participant.js';
import type { Writer } from './writer.js';

export interface TopicLog extends Participant {
  /** In a transaction. */
  insert(message: EncodedMessage): void;
  /** Whether `prune` would remove something. */
  prunable(): boolean;
  /** In a transaction: removes up to `limit` messages that every group has handled. */
  prune(limit: number): void;
  group(topic: string, name: string): Group;
  /** Lag of the groups of this process. */
  lags(): readonly TopicLag[];
}

/** A message with its value as text, so that a value that can't be serialised fails before the transaction. */
export interface EncodedMessage {
  readonly topic: string;
  readonly key: string;
  readonly value: string;
}

export const encodeMessage = ({ topic, key, value }: NewMessage): EncodedMessage => ({
  topic,
  key,
  value: JSON.stringify(value),
});

/** @param onFailed called with the error of work that keeps its batch open until the next start */
export function createTopicLog(db: Db, onFailed: (error: unknown) => void): TopicLog {
  const insert = db.prepare('INSERT INTO topic_messages (topic, "offset", key, value) VALUES (?, ?, ?, ?)');
  const read = db.prepare<unknown[], StoredMessage>(
    `SELECT "offset", key, value FROM topic_messages WHERE topic = ? AND "offset" > ? AND "offset" <= ?
     ORDER BY "offset" ${LIMIT}`,
  );
  // A pruned message was handled by every group, so the higher of the two never decreases.
  const newest = db
    .prepare<unknown[], number>(
      `SELECT max(coalesce((SELECT max("offset") FROM topic_messages WHERE topic = ?), 0),
                  coalesce((SELECT max("offset") FROM topic_groups WHERE topic = ?), 0))`,
    )
    .pluck();
  const committed = db
    .prepare<unknown[], number>('SELECT "offset" FROM topic_groups WHERE topic = ? AND name = ?')
    .pluck();
  const saveOffset = db.prepare(
    'INSERT OR REPLACE INTO topic_groups (topic, name, "offset") VALUES (?, ?, ?)',
  );
  const passed = db.prepare<unknown[], { topic: string; upTo: number }>(
    'SELECT topic, min("offset") AS upTo FROM topic_groups GROUP BY topic',
  );
  const oldest = db
    .prepare<unknown[], number | null>('SELECT min("offset") FROM topic_messages WHERE topic = ?')
    .pluck();
  const dropRange = db.prepare('DELETE FROM topic_messages WHERE topic = ? AND "offset" BETWEEN ? AND ?');

  /** As of the last commit. */
  const last = new Map<string, number>();
  /** As the current transaction leaves them. */
  let stagedLast = new Map<string, number>();
  const groups = new Map<string, Group>();
  const tails = new Map<string, TopicTail>();
  /** Of the current transaction, with the name of their topic. */
  let inserted: { readonly topic: string; readonly message: StoredMessage }[] = [];
  let saving: { readonly group: Group; readonly position: number }[] = [];

  function lastOffset(topic: string): number {
    let offset = last.get(topic);
    if (offset === undefined) last.set(topic, (offset = newest.get(topic, topic) ?? 0));
    return offset;
  }

  function messagesAfter(topic: string, after: number, limit: number): readonly StoredMessage[] {
    const newest = lastOffset(topic);
    if (after >= newest) return [];
    return tails.get(topic)?.after(after, limit) ?? read.all(topic, after, newest, limit);
  }

  function addToTail(topic: string, message: StoredMessage): void {
    let tail = tails.get(topic);
    if (!tail) tails.set(topic, (tail = createTopicTail()));
    tail.add(message);
  }

  /** Ranges of stored messages that every group has handled. */
  function passedRanges(): { topic: string; first: number; upTo: number }[] {
    return passed
      .all()
      .map(({ topic, upTo }) => ({ topic, upTo, first: oldest.get(topic) ?? Infinity }))
      .filter(({ first, upTo }) => first <= upTo);
  }

  return {
    insert({ topic, key, value }) {
      const offset = (stagedLast.get(topic) ?? lastOffset(topic)) + 1;
      insert.run(topic, offset, key, value);
      stagedLast.set(topic, offset);
      inserted.push({ topic, message: { offset, key, value } });
    },

    prunable: () => passedRanges().length > 0,

    prune(limit) {
      let left = limit;
      for (const { topic, first, upTo } of passedRanges()) {
        if (left > 0) left -= dropRange.run(topic, first, Math.min(upTo, first + left - 1)).changes;
      }
    },

    group(topic, name) {
      const id = JSON.stringify([topic, name]);
      let group = groups.get(id);
      if (!group) {
        group = createGroup({
          topic,
          name,
          saved: committed.get(topic, name),
          read: (after, limit) =>
            messagesAfter(topic, after, limit).map(({ offset, key, value }): TopicMessage => ({
              topic,
              key,
              value: JSON.parse(value) as Record<string, unknown>,
              offset: String(offset).padStart(20, '0'),
            })),
          last: () => lastOffset(topic),
          onFailed,
        });
        groups.set(id, group);
      }
      return group;
    },

    lags: () =>
      [...groups.values()].map((group) => ({
        topic: group.topic,
        group: group.name,
        lag: Math.max(0, lastOffset(group.topic) - group.position()),
      })),

    // Group offsets are saved with the next transaction, for any operation.
    after() {
      for (const group of groups.values()) {
        const position = group.passed();
        if (position === group.saved) continue;
        saveOffset.run(group.topic, group.name, position);
        saving.push({ group, position });
      }
    },

    committed() {
      for (const { group, position } of saving) group.saved = position;
      saving = [];
      if (inserted.length === 0) return;
      for (const [topic, offset] of stagedLast) last.set(topic, offset);
      stagedLast = new Map();
      for (const { topic, message } of inserted) addToTail(topic, message);
      const topics = new Set(inserted.map(({ topic }) => topic));
      inserted = [];
      for (const group of groups.values()) if (topics.has(group.topic)) group.consumers[0]?.wake();
    },

    rolledBack() {
      saving = [];
      inserted = [];
      stagedLast = new Map();
    },
  };
}

export function createTopics(deps: {
  readonly log: TopicLog;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly running: Running;
}): Topics {
  const { log, writer, clock, running } = deps;
  return {
    async publish(messages) {
      const encoded = messages.map(encodeMessage);
      return writer.submit(() => encoded.forEach((message) => log.insert(message)), encoded.length);
    },
    consume(options) {
      const consumer = createConsumer(log.group(options.topic, options.group), writer, clock, options);
      return running.track(consumer);
    },
  };
}
