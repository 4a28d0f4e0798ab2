import { randomUUID } from 'node:crypto';
import type { Log, LogEntry } from './log.js';
import {
  DELETED,
  DELETED_ON_THE_WIRE,
  type ProposedEvent,
  STREAM_DELETED,
  type StoredRecord,
  dataOf,
} from './records.js';

export type Expected = 'any' | 'no_stream' | 'stream_exists' | number;

/** -1 when there is no event. */
export type Outcome =
  | { readonly kind: 'ok'; readonly revision: number; readonly position: number | undefined }
  | { readonly kind: 'wrong-expected-version'; readonly current: number }
  | { readonly kind: 'stream-deleted' };

/** Readable revisions of a stream, both inclusive; `first > last` when all have expired. */
export type Readable =
  | { readonly kind: 'readable'; readonly first: number; readonly last: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'deleted' };

export interface History {
  append(stream: string, expected: Expected, events: readonly ProposedEvent[]): Outcome;
  /** Soft deletion: the stream reads as absent until the next append, which continues the revision numbers. */
  softDelete(stream: string, expected: Expected): Outcome;
  /** Permanent deletion: all later reads and appends are refused. */
  tombstone(stream: string, expected: Expected): Outcome;
  readable(stream: string): Readable;
  record(stream: string, revision: number): StoredRecord | undefined;
}

interface StreamMetadata {
  readonly truncateBefore: number;
  readonly maxCount: number;
  readonly maxAgeSeconds: number;
}

const NO_LIMITS: StreamMetadata = {
  truncateBefore: 0,
  maxCount: Number.POSITIVE_INFINITY,
  maxAgeSeconds: Number.POSITIVE_INFINITY,
};

const isMetastream = (stream: string): boolean => stream.startsWith('$$');
const metastreamOf = (stream: string): string => `$$${stream}`;
const originalOf = (metastream: string): string => metastream.slice(2);

const json = (type: string, text: string): ProposedEvent => ({
  eventId: randomUUID(),
  type,
  json: true,
  data: Buffer.from(text, 'utf8'),
  metadata: new Uint8Array(),
});

/** JSON cannot represent 2^63 - 1 ("deleted") exactly, so every number in this range counts as it. */
const isDeleted = (truncateBefore: number): boolean => truncateBefore >= 2 ** 62;

const fieldsOf = (metadata: StoredRecord): Record<string, unknown> =>
  JSON.parse(Buffer.from(dataOf(metadata)).toString('utf8')) as Record<string, unknown>;

const parseMetadata = (record: StoredRecord): StreamMetadata => {
  const fields = fieldsOf(record);
  const number = (key: string, otherwise: number) => {
    const value = fields[key];
    return typeof value === 'number' ? value : otherwise;
  };
  return {
    truncateBefore: number('$tb', NO_LIMITS.truncateBefore),
    maxCount: number('$maxCount', NO_LIMITS.maxCount),
    maxAgeSeconds: number('$maxAge', NO_LIMITS.maxAgeSeconds),
  };
};

/**
 * Streams over a log. Expected revisions, repeats, deletions and retention follow the server's index writer
 * (EventStore, src/EventStore.Core/Services/Storage/ReaderIndex/IndexWriter.cs, CheckCommit).
 */
export const createHistory = (log: Log): History => {
  const byStream = new Map<string, StoredRecord[]>();
  const tombstoned = new Set<string>();
  const metadata = new Map<string, StreamMetadata>();
  /** Ids written since the server started. Only these make a repeated append with ANY safe; a restart loses them. */
  const recent = new Map<string, StoredRecord>();

  const index = (record: StoredRecord): void => {
    if (record.revision === DELETED) {
      tombstoned.add(record.stream);
      return;
    }
    const records = byStream.get(record.stream);
    if (records === undefined) byStream.set(record.stream, [record]);
    else records.push(record);
    if (isMetastream(record.stream)) metadata.delete(originalOf(record.stream));
  };
  for (const record of log.all) index(record);
  // Must be the first listener of the log: when a subscription is notified of a record, it reads the indexed stream.
  log.onStored((records) => {
    for (const record of records) {
      index(record);
      recent.set(record.eventId, record);
    }
  });

  const limits = (stream: string): StreamMetadata => {
    // Metadata streams keep only their newest record.
    if (isMetastream(stream)) return { ...NO_LIMITS, maxCount: 1 };
    const known = metadata.get(stream);
    if (known !== undefined) return known;
    const newest = byStream.get(metastreamOf(stream))?.at(-1);
    const parsed = newest === undefined ? NO_LIMITS : parseMetadata(newest);
    metadata.set(stream, parsed);
    return parsed;
  };

  const softDeleted = (stream: string): boolean => isDeleted(limits(stream).truncateBefore);
  const record = (stream: string, revision: number) => byStream.get(stream)?.[revision];
  const gone = (stream: string): boolean =>
    tombstoned.has(stream) || (isMetastream(stream) && tombstoned.has(originalOf(stream)));
  const lastRevision = (stream: string): number =>
    gone(stream) ? DELETED : (byStream.get(stream)?.length ?? 0) - 1;

  type Decision = { readonly kind: 'write' } | Outcome;

  const check = (stream: string, expected: Expected, ids: readonly string[]): Decision => {
    const current = lastRevision(stream);
    const conflict: Decision = { kind: 'wrong-expected-version', current };
    const repeat = (last: StoredRecord | undefined): Decision => ({
      kind: 'ok',
      revision: last?.revision ?? current,
      position: last?.position,
    });
    if (current === DELETED) return { kind: 'stream-deleted' };
    if (expected === 'stream_exists') {
      if (softDeleted(stream)) return { kind: 'stream-deleted' };
      if (current < 0 && lastRevision(metastreamOf(stream)) < 0) return conflict;
    }
    if (expected === 'any' || expected === 'stream_exists') {
      const known = ids.map((id) => recent.get(id));
      const missing = known.findIndex((one) => one?.stream !== stream);
      if (missing === 0 || ids.length === 0) return { kind: 'write' };
      return missing === -1 ? repeat(known.at(-1)) : conflict;
    }
    const base = expected === 'no_stream' ? -1 : expected;
    if (base > current) return conflict;
    if (base === current) return { kind: 'write' };
    if (ids.length === 0) return conflict;
    const different = ids.findIndex((id, i) => record(stream, base + 1 + i)?.eventId !== id);
    if (different === -1) return repeat(record(stream, base + ids.length));
    if (different === 0 && expected === 'no_stream' && softDeleted(stream)) return { kind: 'write' };
    return conflict;
  };

  /**
   * The stream's metadata with another `$tb`. The value is inserted as text, because a number cannot represent 2^63 -
   * 1.
   */
  const truncation = (stream: string, truncateBefore: string): LogEntry => {
    const metastream = metastreamOf(stream);
    const newest = byStream.get(metastream)?.at(-1);
    const { $tb: _, ...others } = newest === undefined ? {} : fieldsOf(newest);
    const text = JSON.stringify({ ...others, $tb: 0 }).replace('"$tb":0', `"$tb":${truncateBefore}`);
    return { stream: metastream, revision: lastRevision(metastream) + 1, event: json('$metadata', text) };
  };

  const visibleFrom = (stream: string, records: readonly StoredRecord[]): number => {
    const { truncateBefore, maxCount, maxAgeSeconds } = limits(stream);
    let first = Math.max(truncateBefore, records.length - maxCount);
    if (maxAgeSeconds === Number.POSITIVE_INFINITY) return first;
    const oldest = Date.now() - maxAgeSeconds * 1000;
    while (first < records.length && (records[first]?.created ?? 0) < oldest) first += 1;
    return first;
  };

  return {
    record,
    append(stream, expected, events) {
      const decision = check(
        stream,
        expected,
        events.map(({ eventId }) => eventId),
      );
      if (decision.kind !== 'write') return decision;
      const first = lastRevision(stream) + 1;
      // An empty append succeeds. The position that a real server returns was not observed; this one returns none.
      if (events.length === 0) return { kind: 'ok', revision: first - 1, position: undefined };
      const hidden = softDeleted(stream);
      const original = isMetastream(stream) ? originalOf(stream) : undefined;
      const originalHidden = original !== undefined && softDeleted(original);
      const entries: LogEntry[] = events.map((event, i) => ({ stream, revision: first + i, event }));
      // An append to a deleted stream, or to its metadata, restores the stream; its earlier events stay hidden.
      if (hidden) entries.push(truncation(stream, String(first)));
      const stored = log.append(entries);
      if (originalHidden) log.append([truncation(original, String(lastRevision(original) + 1))]);
      const last = stored[events.length - 1];
      return { kind: 'ok', revision: first + events.length - 1, position: last?.position };
    },
    softDelete(stream, expected) {
      const decision = check(stream, expected, [randomUUID()]);
      if (decision.kind !== 'write') return decision;
      const [stored] = log.append([truncation(stream, DELETED_ON_THE_WIRE)]);
      return { kind: 'ok', revision: lastRevision(stream), position: stored?.position };
    },
    tombstone(stream, expected) {
      const decision = check(stream, expected, [randomUUID()]);
      if (decision.kind !== 'write') return decision;
      const [stored] = log.append([{ stream, revision: DELETED, event: json(STREAM_DELETED, '') }]);
      return { kind: 'ok', revision: DELETED, position: stored?.position };
    },
    readable(stream) {
      if (gone(stream)) return { kind: 'deleted' };
      const records = byStream.get(stream);
      if (records === undefined || softDeleted(stream)) return { kind: 'absent' };
      return { kind: 'readable', first: visibleFrom(stream, records), last: records.length - 1 };
    },
  };
};
