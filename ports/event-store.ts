/**
 * The append-only history. One stream per aggregate; every append names the exact revision it builds on.
 */

/**
 * A place in the global order of events. Opaque, but two positions of one store compare with `<` as strings,
 * so a read model can keep the last applied one and refuse older ones. `START` is before the first event.
 */
export type Position = string & { readonly __brand: 'Position' };
export const START = '' as Position;

/** Revision of the first event of a stream is 0. `no_stream` says that the stream must not exist yet. */
export type ExpectedRevision = 'no_stream' | number;

/** Revision of the next event of a stream that is at this one; also how many events it has. */
export const revisionAfter = (revision: ExpectedRevision): number =>
  revision === 'no_stream' ? 0 : revision + 1;

/**
 * Metadata that every event carries beside its data. Reactions set `causation_id` to the id of the event they react to.
 */
export type EventMeta = {
  readonly correlation_id: string;
  readonly causation_id: string;
  readonly command_id: string;
  /** The caller: `key:<id>`, `admin`, `provider`, `worker:<name>`, `demo`. */
  readonly actor: string;
  /** Company that owns the stream. Every stream belongs to exactly one. */
  readonly company: string;
  /** ISO 8601, UTC, milliseconds: when it happened, by the clock of the process that decided it. */
  readonly occurred_at: string;
  readonly schema_version: number;
};

/** An event as it goes to the store: personal fields are already sealed (see application/codec.ts). */
export interface NewRecord {
  readonly eventId: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: EventMeta;
}

export interface StoredRecord extends NewRecord {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
}

/** One of several appends that belong together. */
export interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly records: readonly NewRecord[];
}

export interface AppendResult {
  /** Revision of the last event written. */
  readonly revision: number;
  readonly position: Position;
  /** Set when nothing was written because, as far as the store can determine, the same events were already there. */
  readonly repeated?: true;
}

/** The stream is not at the revision that the caller expected. Nothing was written. */
export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    readonly actual: ExpectedRevision,
  ) {
    super(`stream ${stream}: expected revision ${expected}, actual ${actual}`);
  }
}

/**
 * The store can't be reached or did not answer in time. An append that fails with this error has an unknown outcome.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/**
 * Recado itself has to do something first: show an event in a read model, read what a customer wrote. Only the work that
 * needs it waits; where a server is away, all work waits.
 */
export class NotYet extends StoreUnavailable {}

/**
 * A stored event differs from the one that was written: the disk or a person changed it. The message names the event.
 */
export class EventDamaged extends Error {
  override readonly name = 'EventDamaged';
}

export interface ReadAllPage {
  readonly records: readonly StoredRecord[];
  /** Where the next read resumes: the position of the last record considered, even if a filter hid it. */
  readonly next: Position;
  /** True when the read reached the end of the history. */
  readonly atEnd: boolean;
  /** Number of records examined, hidden ones included. Left out: as many as `records` holds. */
  readonly considered?: number;
}

export interface SubscriptionOptions {
  /** Exclusive: the first record delivered comes after it. */
  readonly after: Position;
  /** Only streams whose name starts with one of these; all streams when left out. */
  readonly prefixes?: readonly string[];
  readonly maxBatch?: number;
  /**
   * Called with records in global order, one batch at a time. `upTo` may be past the last record when a filter hid
   * some. A batch may be empty when many records were hidden: then only `upTo` has advanced. If the promise rejects,
   * the subscription delivers the same batch again after a pause.
   */
  readonly onBatch: (records: readonly StoredRecord[], upTo: Position) => Promise<void>;
  readonly onError?: (error: unknown) => void;
}

export interface Subscription {
  /** Resolves when the current batch is done and nothing more will be delivered. */
  stop(): Promise<void>;
}

export interface EventStore {
  /**
   * Appends all records or none and resolves only when they are durable.
   *
   * A repeated append succeeds without writing: the same expected revision and the same event ids, already stored at
   * the following revisions. It returns the revision and position of the first append, so a retry after a time-out is
   * safe.
   *
   * @throws WrongExpectedRevision, StoreUnavailable
   */
  append(stream: string, expected: ExpectedRevision, records: readonly NewRecord[]): Promise<AppendResult>;
  /**
   * Appends to several streams, in this order: all or none. An append to a stream that an earlier one of them is about
   * continues it. Resolves with the position of the last event when all are durable. It does not recognise repeated
   * appends: `append` does. Absent where the store can't.
   *
   * @throws WrongExpectedRevision for the first one that is refused; StoreUnavailable
   */
  readonly appendTogether?: (appends: readonly Append[]) => Promise<Position>;
  /** Records of one stream in order, from `from` (inclusive, default 0). Empty when the stream does not exist. */
  read(
    stream: string,
    options?: { readonly from?: number; readonly limit?: number },
  ): Promise<readonly StoredRecord[]>;
  /** History after a position (exclusive), in global order. */
  readAll(options: {
    readonly after: Position;
    readonly limit: number;
    readonly prefixes?: readonly string[];
    /** The caller needs only these types. A store leaves the other records out if that saves work. */
    readonly types?: readonly string[];
  }): Promise<ReadAllPage>;
  /**
   * History before a position (exclusive), newest first; from the end when `before` is null. `next` is the position of
   * the oldest record considered, and `atEnd` says that the beginning of the history was reached.
   */
  readBack(options: {
    readonly before: Position | null;
    readonly limit: number;
    readonly prefixes?: readonly string[];
    readonly types?: readonly string[];
  }): Promise<ReadAllPage>;
  /** Position of the newest record, or `START`. */
  head(): Promise<Position>;
  /** An integer that grows with the position, for consumers who want a number (webhook `sequence`). */
  sequenceOf(position: Position): number;
  subscribe(options: SubscriptionOptions): Subscription;
}
