/**
 * The event store port over arrays, for unit tests. It gives the same guarantees as the real adapters, without
 * durability.
 */
import {
  revisionAfter,
  START,
  WrongExpectedRevision,
  type Append,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type NewRecord,
  type Position,
  type StoredRecord,
} from '../../../ports/event-store.js';

export interface MemoryEventStore extends EventStore {
  /** Everything, in global order. */
  readonly records: readonly StoredRecord[];
  /** Number of `append` calls so far, including refused ones. */
  readonly appends: () => number;
}

const positionOf = (index: number) => String(index + 1).padStart(12, '0') as Position;

/** @param together whether it appends to several streams at once */
export function memoryEventStore({ together = false } = {}): MemoryEventStore {
  const records: StoredRecord[] = [];
  const streams = new Map<string, StoredRecord[]>();
  let appends = 0;
  let wake: (() => void)[] = [];

  const page: EventStore['readAll'] = async ({ after, limit, prefixes }) => {
    const from = after === START ? 0 : Number(after);
    const considered = records.slice(from, from + limit);
    return {
      records: considered.filter((r) => !prefixes || prefixes.some((p) => r.stream.startsWith(p))),
      next: considered.at(-1)?.position ?? after,
      atEnd: from + limit >= records.length,
    };
  };

  function append(stream: string, expected: ExpectedRevision, added: readonly NewRecord[]): AppendResult {
    appends += 1;
    const existing = streams.get(stream) ?? [];
    const first = revisionAfter(expected);
    if (first !== existing.length) {
      const before = existing.slice(first, first + added.length);
      const repeated =
        before.length === added.length && before.every((r, i) => r.eventId === added[i]!.eventId);
      const last = before.at(-1);
      if (repeated && last) return { revision: last.revision, position: last.position };
      throw new WrongExpectedRevision(
        stream,
        expected,
        existing.length === 0 ? 'no_stream' : existing.length - 1,
      );
    }
    const stored = added.map((record, i): StoredRecord => ({
      // As in a real store, a reader never gets the object that was appended.
      ...(JSON.parse(JSON.stringify(record)) as NewRecord),
      stream,
      revision: first + i,
      position: positionOf(records.length + i),
    }));
    records.push(...stored);
    streams.set(stream, [...existing, ...stored]);
    for (const resume of wake.splice(0)) resume();
    return { revision: stored.at(-1)!.revision, position: stored.at(-1)!.position };
  }

  async function appendTogether(all: readonly Append[]): Promise<Position> {
    const lengths = new Map<string, number>();
    for (const { stream, expected, records: added } of all) {
      const length = lengths.get(stream) ?? streams.get(stream)?.length ?? 0;
      const actual = length === 0 ? 'no_stream' : length - 1;
      if (actual !== expected) throw new WrongExpectedRevision(stream, expected, actual);
      lengths.set(stream, length + added.length);
    }
    for (const one of all) append(one.stream, one.expected, one.records);
    return positionOf(records.length - 1);
  }

  return {
    records,
    appends: () => appends,
    append: async (stream, expected, added) => append(stream, expected, added),
    ...(together && { appendTogether }),
    read: async (stream, { from = 0, limit = Infinity } = {}) =>
      (streams.get(stream) ?? []).slice(from, from + limit),
    readAll: page,
    readBack: async ({ before, limit, prefixes }) => {
      const end = before === null ? records.length : Number(before) - 1;
      const considered = records.slice(Math.max(0, end - limit), end).reverse();
      return {
        records: considered.filter((r) => !prefixes || prefixes.some((p) => r.stream.startsWith(p))),
        next: considered.at(-1)?.position ?? positionOf(0),
        atEnd: end <= limit,
      };
    },
    head: async () => records.at(-1)?.position ?? START,
    sequenceOf: (position) => Number(position),
    subscribe({ after, prefixes, maxBatch = 100, onBatch, onError }) {
      let stopped = false;
      const run = async (): Promise<void> => {
        let position = after;
        while (!stopped) {
          const { records: batch, next } = await page({
            after: position,
            limit: maxBatch,
            ...(prefixes ? { prefixes } : {}),
          });
          if (next === position) {
            // If it was stopped while the page was read, nothing would ever resolve this promise.
            if (!stopped) await new Promise<void>((resolve) => wake.push(resolve));
            continue;
          }
          try {
            await onBatch(batch, next);
            position = next;
          } catch (error) {
            onError?.(error);
            await new Promise<void>((resolve) => setImmediate(resolve));
          }
        }
      };
      const done = run();
      return {
        async stop() {
          stopped = true;
          const waiting = wake;
          wake = [];
          for (const resume of waiting) resume();
          await done;
        },
      };
    },
  };
}
