/** The events table: appends inside the group transaction, reads outside it. */
import {
  revisionAfter,
  WrongExpectedRevision,
  type AppendResult,
  type ExpectedRevision,
  type Position,
  type ReadAllPage,
  type StoredRecord,
} from '../../ports/event-store.js';
import type { Db } from './database.js';
import {
  checksumOf,
  decodeRow,
  headOf,
  numberOf,
  positionOf,
  prepareInsert,
  type EncodedRecord,
  type EventValues,
} from './records.js';
import { createScans } from './history-scans.js';
import { createStreamIndex, type StreamIndex } from './stream-index.js';
import { createRecent } from './recent.js';
import { createRecentStreams } from './recent-streams.js';
import { createStreamRows } from './stream-rows.js';
import type { Participant } from './participant.js';
import { pageSize } from '../../ports/page-size.js';

export interface EncodedAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly records: readonly EncodedRecord[];
}

export interface History extends Participant {
  /** In a transaction. @throws WrongExpectedRevision, before anything is written */
  append(stream: string, expected: ExpectedRevision, records: readonly EncodedRecord[]): AppendResult;
  /** In a transaction. @throws WrongExpectedRevision, before anything is written */
  appendTogether(appends: readonly EncodedAppend[]): Position;
  /** Records that the current transaction has appended so far. */
  appended(): readonly StoredRecord[];
  /** Number of the newest committed position; 0 when the history is empty. No read sees an event after it. */
  head(): number;
  /** Events appended since the start. */
  count(): number;
  readonly index: StreamIndex;
  read(stream: string, from: number, limit: number): readonly StoredRecord[];
  readAll(
    after: Position,
    limit: number,
    prefixes: readonly string[] | undefined,
    types?: readonly string[],
  ): ReadAllPage;
  /** Newest first, before a position; from the end when it is null. */
  readBack(
    before: Position | null,
    limit: number,
    prefixes: readonly string[] | undefined,
    types?: readonly string[],
  ): ReadAllPage;
  /** Registers a listener that is called after each commit that appended. Returns a function that removes it. */
  onAppended(listener: () => void): () => void;
}

const MAX_PAGE = 5_000;

export function createHistory(db: Db): History {
  const insert = prepareInsert(db);
  const listeners = new Set<() => void>();
  const recent = createRecent();
  const streams = createRecentStreams();
  const index = createStreamIndex(db);
  const rowsOf = createStreamRows(db, index);
  const scans = createScans(db);

  // AUTOINCREMENT remembers the highest position ever assigned.
  let head = headOf(db);
  let staged: StoredRecord[] = [];
  /** Last revisions of the streams that the current transaction has appended to. */
  let stagedRevisions = new Map<string, number>();
  let stagedSize = 0;
  let count = 0;

  /** Revision as the current transaction sees it. */
  function revisionOf(stream: string): ExpectedRevision {
    const length = streams.length(stream);
    const last = stagedRevisions.get(stream) ?? (length === undefined ? index.last(stream) : length - 1);
    return last === undefined || last < 0 ? 'no_stream' : last;
  }

  function append(
    stream: string,
    expected: ExpectedRevision,
    records: readonly EncodedRecord[],
  ): AppendResult {
    const actual = revisionOf(stream);
    const from = revisionAfter(expected);
    if (actual !== expected) {
      const before = firstTime(rowsOf(stream, from, records.length), records);
      if (before) return before;
      throw new WrongExpectedRevision(stream, expected, actual);
    }
    let revision = from;
    let position = head + staged.length;
    for (const { record, meta, data } of records) {
      position += 1;
      const { eventId, type } = record;
      const { company } = record.meta;
      const checksum = checksumOf(stream, revision, eventId, type, company, meta, data);
      insert.run(position, stream, revision, eventId, type, company, checksum, meta, data);
      // The data object stays the caller's own: the codec recognises by identity what it has just encoded.
      staged.push({
        eventId,
        type,
        data: record.data,
        meta: record.meta,
        stream,
        revision,
        position: positionOf(position),
      });
      stagedSize += meta.length + data.length;
      revision += 1;
    }
    stagedRevisions.set(stream, revision - 1);
    return { revision: revision - 1, position: positionOf(position) };
  }

  function appendTogether(appends: readonly EncodedAppend[]): Position {
    const reached = new Map<string, ExpectedRevision>();
    for (const { stream, expected, records } of appends) {
      const actual = reached.get(stream) ?? revisionOf(stream);
      if (actual !== expected) throw new WrongExpectedRevision(stream, expected, actual);
      reached.set(stream, revisionAfter(expected) + records.length - 1);
    }
    for (const { stream, expected, records } of appends) append(stream, expected, records);
    return positionOf(head + staged.length);
  }

  return {
    append,
    appendTogether,
    appended: () => staged,
    head: () => head,
    count: () => count,
    index,

    read(stream, from, limit) {
      // Without events of a transaction under way: both the cache and the index get them when it is committed.
      const known = streams.get(stream);
      const first = Math.max(0, from);
      if (known) return first === 0 && limit >= known.length ? known : known.slice(first, first + limit);
      const records = rowsOf(stream, first, limit).map(decodeRow);
      if (first === 0 && records.length < limit) streams.addRead(stream, records);
      return records;
    },

    readAll(after, limit, prefixes, types) {
      const from = numberOf(after);
      const size = pageSize(limit, MAX_PAGE);
      const page =
        recent.after(from, size, prefixes) ??
        scans.onward(from, head, { size, prefixes: prefixes ?? [], types: types ?? [] });
      const next = Math.max(from, page.next);
      return {
        records: page.records,
        next: positionOf(next),
        atEnd: next >= head,
        considered: next - from,
      };
    },

    readBack(before, limit, prefixes, types) {
      const last = before === null ? head : numberOf(before) - 1;
      const size = pageSize(limit, MAX_PAGE);
      const { records, oldest } = scans.back(last, { size, prefixes: prefixes ?? [], types: types ?? [] });
      return { records, next: positionOf(Math.max(1, oldest)), atEnd: oldest <= 1 };
    },

    onAppended(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    committed() {
      if (staged.length === 0) return;
      head += staged.length;
      count += staged.length;
      recent.add(staged, stagedSize);
      streams.add(staged);
      for (const { stream, revision, position } of staged) {
        index.add({ stream, revision, position: numberOf(position) });
      }
      staged = [];
      stagedSize = 0;
      stagedRevisions = new Map();
      for (const listener of listeners) listener();
    },

    rolledBack() {
      staged = [];
      stagedSize = 0;
      stagedRevisions = new Map();
    },
  };
}

/**
 * The result of the first append, when exactly these events are already at the requested revisions.
 *
 * @param rows stored events at these revisions
 */
function firstTime(
  rows: readonly EventValues[],
  records: readonly EncodedRecord[],
): AppendResult | undefined {
  if (rows.length !== records.length) return undefined;
  if (rows.some(([, , , eventId], at) => eventId !== records[at]?.record.eventId)) return undefined;
  const last = rows.at(-1);
  return last && { revision: last[2], position: positionOf(last[0]), repeated: true };
}
