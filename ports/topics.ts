import type { Position } from './event-store.js';

/**
 * Work queues between the event store and the workers. A message is a hint that can be derived again from the history,
 * so consumers check the stream before they act, and a repeated message changes nothing.
 */
export interface NewMessage {
  readonly topic: string;
  /** Messages with the same key are delivered in order, never two at once. */
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export interface TopicMessage extends NewMessage {
  /** Grows within a topic (and partition). */
  readonly offset: string;
}

/** A batch whose messages the group's offset has not passed yet. */
export interface OpenBatch {
  /**
   * The offset stays before the batch until this work has ended; the next batch is delivered meanwhile. If the work
   * rejects, or the process dies, the batch is delivered again.
   */
  until(work: Promise<unknown>): void;
}

export interface ConsumeOptions {
  readonly topic: string;
  readonly group: string;
  /** Most messages delivered at once. */
  readonly maxBatch?: number;
  /**
   * Must make its results durable before it resolves: only then the group's offset advances. A rejection makes the
   * topic deliver the same batch again after a pause. The handler must not sleep: delays belong in the due-time store.
   *
   * @param open absent where the results must be durable when the handler resolves: for messages that another process
   * may have begun
   */
  readonly handle: (batch: readonly TopicMessage[], open?: OpenBatch) => Promise<void>;
  /**
   * The batches may go to another process: work that keeps them open should become durable at once. Called before the
   * consumer stops, and when its group gets another member.
   */
  readonly letGo?: () => Promise<void>;
  readonly onError?: (error: unknown) => void;
}

export interface Consumer {
  stop(): Promise<void>;
  /** Messages published but not yet handled by this group. */
  lag(): Promise<number>;
  /** Resolves when everything published before the call has been handled. */
  caughtUp(): Promise<void>;
}

/** How far a group is behind, in messages. */
export interface TopicLag {
  readonly topic: string;
  readonly group: string;
  readonly lag: number;
}

export interface Topics {
  publish(messages: readonly NewMessage[]): Promise<void>;
  consume(options: ConsumeOptions): Consumer;
  /** For a single publisher that follows the history. Left out: `publish` alone ensures that no message is lost. */
  readonly ahead?: Ahead;
}

/**
 * Messages that get a durable row only some time after they were published: by then most of them have been handled and
 * need none. After a crash the publisher must publish again every message that `keep` has not reached yet
 * (docs/adr/0034).
 */
export interface Ahead {
  /** @param at position in the history that the messages come from, at the latest */
  publish(messages: readonly NewMessage[], at: Position): Promise<void>;
  /** Writes durable rows for the messages from positions up to `upTo` that have not been handled. */
  keep(upTo: Position): Promise<void>;
  /** Called when another publisher continues from the position of this one. */
  forget(): void;
}
