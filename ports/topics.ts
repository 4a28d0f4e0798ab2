import type { Position } from './event-store.js';

/**
 * Work queues between the event store and the workers. A message is a hint that can be derived again from the
 * history, so consumers check the stream before they act and a repeated message changes nothing.
 */
export interface NewMessage {
  readonly topic: string;
  /** Messages of one key are handed over in order, never two at once. */
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export interface TopicMessage extends NewMessage {
  /** Grows within a topic (and partition). */
  readonly offset: string;
}

export interface ConsumeOptions {
  readonly topic: string;
  readonly group: string;
  /** Most messages handed over at once. */
  readonly maxBatch?: number;
  /**
   * Must make durable whatever it wants to keep, then resolve; the group's offset moves only then. A rejection hands
   * the same batch over again after a pause. Never sleep in here: delays belong in the due-time store.
   */
  readonly handle: (batch: readonly TopicMessage[]) => Promise<void>;
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
  /** For one publisher that goes along the history. Left out: whatever is published is kept track of by `publish`. */
  readonly ahead?: Ahead;
}

/**
 * Messages that are kept track of some time after they were published: by then most of them have been handled. Until
 * `keep` has come past them, whoever published them has to publish them again after a crash (docs/adr/0034).
 */
export interface Ahead {
  /** @param at where in the history they come from, at the latest */
  publish(messages: readonly NewMessage[], at: Position): Promise<void>;
  /** Keeps track of what comes from up to there and has not been handled. */
  keep(upTo: Position): Promise<void>;
  /** Somebody else publishes from where this one was. */
  forget(): void;
}
