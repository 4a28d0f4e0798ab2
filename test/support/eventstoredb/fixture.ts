import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreDBClient, type ResolvedEvent, jsonEvent } from '@eventstore/db-client';
import { type EventStoreStandIn, startEventStoreStandIn } from './stand-in.js';

export interface Fixture {
  readonly standIn: EventStoreStandIn;
  readonly client: EventStoreDBClient;
}

/** One stand-in and one client for a suite; each test uses streams of its own. */
export const standInForSuite = (): Fixture => {
  let standIn: EventStoreStandIn | undefined;
  let client: EventStoreDBClient | undefined;
  before(async () => {
    standIn = await startEventStoreStandIn();
    client = EventStoreDBClient.connectionString(standIn.url);
  });
  after(async () => {
    await client?.dispose();
    await standIn?.stop();
  });
  return {
    get standIn() {
      if (standIn === undefined) throw new Error('used before the suite started');
      return standIn;
    },
    get client() {
      if (client === undefined) throw new Error('used before the suite started');
      return client;
    },
  };
};

export const tick = (n: number, id: string = randomUUID()) => jsonEvent({ id, type: 'Tick', data: { n } });

export const ticks = (count: number, first = 0) => Array.from({ length: count }, (_, i) => tick(first + i));

/** Returns the error of a call; throws when the call succeeds. */
export const failureOf = async (call: Promise<unknown> | AsyncIterable<unknown>): Promise<unknown> => {
  try {
    if (Symbol.asyncIterator in call) for await (const _ of call);
    else await call;
  } catch (error) {
    return error;
  }
  throw new Error('the call was expected to fail');
};

export const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** Polls until a condition holds, for work in another process that sends this test no event. */
export const until = async (holds: () => boolean): Promise<void> => {
  const end = performance.now() + 60_000;
  while (performance.now() < end) {
    if (holds()) return;
    await pause(5);
  }
  throw new Error('what was waited for did not happen in a minute');
};

export interface Heard {
  /** Received items in order: `confirmation`, `caughtUp`, and `<type> <revision>` for events. */
  readonly order: string[];
  readonly revisions: () => number[];
  readonly errors: { readonly type?: string; readonly code?: number; readonly message: string }[];
  readonly ended: boolean;
}

/** Records what a subscription delivers without slowing it down. */
export const hear = (subscription: EventEmitter): Heard => {
  const order: string[] = [];
  const errors: Heard['errors'] = [];
  let ended = false;
  subscription.on('confirmation', () => order.push('confirmation'));
  subscription.on('caughtUp', () => order.push('caughtUp'));
  subscription.on('data', ({ event }: ResolvedEvent) => order.push(`${event?.type} ${event?.revision}`));
  subscription.on('error', (error: Heard['errors'][number]) => errors.push(error));
  subscription.on('end', () => {
    ended = true;
  });
  return {
    order,
    errors,
    get ended() {
      return ended;
    },
    revisions: () => order.filter((one) => one.startsWith('Tick')).map((one) => Number(one.slice(5))),
  };
};
