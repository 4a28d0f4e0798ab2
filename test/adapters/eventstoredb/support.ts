/**
 * The adapter on a stand-in of its own. Pauses are short; timeouts are long, because a busy machine answers late. A
 * test of a server that never answers sets the timeout itself.
 */
import { openEventStoreDb, type EventStoreDb } from '../../../adapters/eventstoredb/open.js';
import type { Limits } from '../../../adapters/eventstoredb/limits.js';
import {
  START,
  type EventStore,
  type Position,
  type StoredRecord,
  type Subscription,
} from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import { numbers, record, streamName, until } from '../../conformance/support.js';
import { startEventStoreStandIn, type EventStoreStandIn } from '../../support/eventstoredb/stand-in.js';

export const SHORT: Partial<Limits> = {
  callTimeoutMs: 30_000,
  requestTimeoutMs: 60_000,
  confirmTimeoutMs: 30_000,
  firstPauseMs: 10,
  longestPauseMs: 100,
  healthyAfterMs: 1_000,
  watchdogMs: 100,
};

export interface Bench {
  readonly server: EventStoreStandIn;
  readonly db: EventStoreDb;
  readonly store: EventStore;
  close(): Promise<void>;
}

export async function openBench(limits: Partial<Limits> = {}): Promise<Bench> {
  const server = await startEventStoreStandIn();
  const db = openEventStoreDb({
    url: server.url,
    logger: silentLogger,
    limits: { ...SHORT, ...limits },
  });
  return {
    server,
    db,
    store: db.eventStore,
    async close() {
      await db.close();
      await server.stop();
    },
  };
}

/**
 * Appends `{n}` for each n of `range`. The stream must already contain as many records as the first number of `range`.
 */
export async function appendNumbers(
  store: EventStore,
  stream: string,
  from: number,
  to: number,
): Promise<void> {
  const records = Array.from({ length: to - from }, (_, index) => record({ n: from + index }));
  for (let at = 0; at < records.length; at += 100) {
    const expected = from + at === 0 ? 'no_stream' : from + at - 1;
    await store.append(stream, expected, records.slice(at, at + 100));
  }
}

export interface Follower {
  readonly got: unknown[];
  readonly upTo: Position[];
  readonly errors: unknown[];
  readonly subscription: Subscription;
}

/** Subscribes and stores every batch; `hold` runs before a batch is accepted. */
export function follow(
  store: EventStore,
  options: {
    readonly after: Position;
    readonly prefixes?: readonly string[];
    readonly maxBatch?: number;
    readonly hold?: (records: readonly StoredRecord[]) => Promise<void>;
  },
): Follower {
  const { hold, ...rest } = options;
  const got: unknown[] = [];
  const upTo: Position[] = [];
  const errors: unknown[] = [];
  const subscription = store.subscribe({
    ...rest,
    onBatch: async (records, to) => {
      await hold?.(records);
      got.push(...numbers(records));
      upTo.push(to);
    },
    onError: (error) => errors.push(error),
  });
  return { got, upTo, errors, subscription };
}

/** Follows a new category with a single stream from its start. */
export function followCategory(
  store: EventStore,
  options: Omit<Parameters<typeof follow>[1], 'after' | 'prefixes'> = {},
) {
  const category = streamName('sub').replaceAll('-', '');
  const stream = `${category}-1`;
  const follower = follow(store, { after: START, prefixes: [`${category}-`], ...options });
  return {
    ...follower,
    stream,
    append: (from: number, to: number) => appendNumbers(store, stream, from, to),
    has: (count: number) => until(() => follower.got.length >= count),
    stop: () => follower.subscription.stop(),
  };
}

export const range = (to: number): number[] => Array.from({ length: to }, (_, index) => index);
