/** The EventStore port over SQLite. Its reads see the history up to the last commit, also while a transaction is under way. */
import { isUuid } from '../../domain/kernel/ids.js';
import type { Clock } from '../../ports/clock.js';
import type { EventStore, NewRecord } from '../../ports/event-store.js';
import type { History } from './history.js';
import { encodeRecord, numberOf, positionOf } from './records.js';
import type { Running } from './running.js';
import { subscribe } from './subscription.js';
import { never, type ReadDurable } from './durable-reads.js';
import type { Writer } from './writer.js';

const WHOLE_STREAM = 1_000_000;

export function createEventStore(deps: {
  readonly history: History;
  readonly writer: Writer;
  readonly readDurable: ReadDurable;
  readonly clock: Clock;
  readonly running: Running;
}): EventStore {
  const { history, writer, readDurable, clock, running } = deps;
  return {
    async append(stream, expected, records) {
      assertAppendable(stream, records);
      const encoded = records.map(encodeRecord);
      return writer.submit(() => history.append(stream, expected, encoded), records.length);
    },
    async appendTogether(appends) {
      const encoded = appends.map(({ stream, expected, records }) => {
        assertAppendable(stream, records);
        return { stream, expected, records: records.map(encodeRecord) };
      });
      const weight = encoded.reduce((sum, { records }) => sum + records.length, 0);
      return writer.submit(() => history.appendTogether(encoded), weight);
    },
    read: (stream, options = {}) =>
      readDurable(never, () =>
        history.read(stream, options.from ?? 0, Math.min(options.limit ?? WHOLE_STREAM, WHOLE_STREAM)),
      ),
    readAll: ({ after, limit, prefixes, types }) =>
      readDurable(never, () => history.readAll(after, limit, prefixes, types)),
    readBack: ({ before, limit, prefixes, types }) =>
      readDurable(never, () => history.readBack(before, limit, prefixes, types)),
    head: () => readDurable(never, () => positionOf(history.head())),
    sequenceOf: numberOf,
    subscribe: (options) => running.track(subscribe(history, clock, options)),
  };
}

/** Refuses what EventStoreDB would refuse, and ids that would crash its client. */
function assertAppendable(stream: string, records: readonly NewRecord[]): void {
  if (stream === '') throw new TypeError('an append needs a stream name');
  if (records.length === 0) throw new TypeError('an append needs at least one record');
  for (const record of records) {
    if (!isUuid(record.eventId)) throw new TypeError(`event id ${record.eventId} is not a UUID`);
  }
}
