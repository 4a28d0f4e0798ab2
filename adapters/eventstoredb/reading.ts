/** Reads of one stream and of $all. The client can't filter reads of $all, so this module does. */
import { BACKWARDS, END, START as LOG_START, type EventStoreDBClient } from '@eventstore/db-client';
import { START, type EventStore, type Position, type StoredRecord } from '../../ports/event-store.js';
import type { Logger } from '../../ports/logger.js';
import { readEvents, type Calls } from './calls.js';
import { isGone, noPosition } from './errors.js';
import type { Limits } from './limits.js';
import { toLogPosition, type HighWater } from './positions.js';
import { positionOf, toStoredRecord } from './records.js';
import { pageSize } from '../../ports/page-size.js';

export type Reading = Pick<EventStore, 'read' | 'readAll' | 'readBack' | 'head'>;

export interface ReadingDeps {
  readonly calls: Calls;
  readonly limits: Limits;
  readonly logger: Logger;
  readonly highWater: HighWater;
}

const MAX_PAGE = 5_000;
const WHOLE_STREAM = Number.MAX_SAFE_INTEGER;
/** Without prefixes few records are skipped: the one at `after`, which the server repeats, and some system events. */
const SLACK = 32;
/** Pages of system events that `head` reads to find a record of ours. */
const HEAD_PAGES = 50;

export function createReading({ calls, limits, logger, highWater }: ReadingDeps): Reading {
  type Place = Parameters<EventStoreDBClient['readAll']>[0];
  const placeAfter = (after: Position): NonNullable<Place>['fromPosition'] =>
    after === START ? LOG_START : toLogPosition(after);

  return {
    async read(stream, options = {}) {
      const maxCount = Math.min(options.limit ?? WHOLE_STREAM, WHOLE_STREAM);
      const fromRevision = BigInt(Math.max(0, options.from ?? 0));
      if (maxCount <= 0) return [];
      try {
        return await calls.request(async (call) => {
          const records: StoredRecord[] = [];
          const events = call.client.readStream(stream, { fromRevision, maxCount, requiresLeader: true });
          await readEvents(call, events, (resolved) => {
            const position = positionOf(resolved);
            if (position === undefined) throw noPosition(stream);
            const record = toStoredRecord(resolved, position);
            if (record) records.push(record);
            return true;
          });
          return records;
        });
      } catch (error) {
        if (isGone(error)) return [];
        throw error;
      }
    },

    readAll({ after, limit, prefixes = [] }) {
      const size = pageSize(limit, MAX_PAGE);
      const maxCount = prefixes.length > 0 ? limits.scan : size + SLACK;
      return calls.request(
        async (call) => {
          const records: StoredRecord[] = [];
          let next = after;
          let seen = 0;
          const fromPosition = placeAfter(after)!;
          const events = call.client.readAll({ fromPosition, maxCount, requiresLeader: true });
          const whole = await readEvents(call, events, (resolved) => {
            seen += 1;
            const position = positionOf(resolved);
            if (position === undefined || position <= after) return true;
            next = position;
            const record = toStoredRecord(resolved, position);
            if (record) highWater.note(position);
            if (record && isOf(prefixes, record.stream)) records.push(record);
            return records.length < size;
          });
          return { records, next, atEnd: whole && seen < maxCount };
        },
        { subject: '$all' },
      );
    },

    readBack({ before, limit, prefixes = [] }) {
      const size = pageSize(limit, MAX_PAGE);
      const maxCount = prefixes.length > 0 ? limits.scan : size + SLACK;
      return calls.request(
        async (call) => {
          const records: StoredRecord[] = [];
          let next = before ?? START;
          let seen = 0;
          const events = call.client.readAll({
            fromPosition: before === null ? END : toLogPosition(before),
            direction: BACKWARDS,
            maxCount,
            requiresLeader: true,
          });
          const whole = await readEvents(call, events, (resolved) => {
            seen += 1;
            const position = positionOf(resolved);
            if (position === undefined || (before !== null && position >= before)) return true;
            next = position;
            const record = toStoredRecord(resolved, position);
            if (record && isOf(prefixes, record.stream)) records.push(record);
            return records.length < size;
          });
          return { records, next, atEnd: whole && seen < maxCount };
        },
        { subject: '$all' },
      );
    },

    async head() {
      let from: LogPlace = END;
      for (let pages = 0; pages < HEAD_PAGES; pages += 1) {
        let found: Position | undefined;
        let last: Position | undefined;
        let seen = 0;
        const floor = highWater.position;
        const whole = await calls.request(
          async (call) => {
            seen = 0;
            const events = call.client.readAll({
              fromPosition: from,
              direction: BACKWARDS,
              maxCount: limits.scan,
              requiresLeader: true,
            });
            return readEvents(call, events, (resolved) => {
              seen += 1;
              const position = positionOf(resolved);
              if (position === undefined) return true;
              last = position;
              // A record of ours after the highest known position would have been found first.
              if (position <= floor) found = floor;
              else if (toStoredRecord(resolved, position)) found = position;
              return found === undefined;
            });
          },
          { subject: '$all' },
        );
        if (found !== undefined) {
          highWater.note(found);
          return found;
        }
        if ((whole && seen < limits.scan) || last === undefined) return floor;
        from = toLogPosition(last);
      }
      logger.warn(
        { pages: HEAD_PAGES },
        'EventStoreDB holds too many events of others to find our newest one',
      );
      return highWater.position;
    },
  };
}

type LogPlace = typeof END | { commit: bigint; prepare: bigint };

const isOf = (prefixes: readonly string[], stream: string): boolean =>
  prefixes.length === 0 || prefixes.some((prefix) => stream.startsWith(prefix));
