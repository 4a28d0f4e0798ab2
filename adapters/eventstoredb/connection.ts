/**
 * The connection that calls share. A client reconnects by itself when the server says that it is gone, but a server
 * that stays silent (frozen, or a new address behind the same name) leaves it waiting on a dead connection: then a new
 * client takes its place, and the old one is closed when nobody uses it any more.
 */
import { StoreUnavailable } from '../../ports/event-store.js';
import type { EventStoreDBClient } from '@eventstore/db-client';
import type { Appends } from './appends.js';
import type { Client } from './client.js';

export interface Lease {
  readonly client: EventStoreDBClient;
  readonly appends: Appends;
  /** The server has answered something. */
  heard(): void;
  /** `silent`: the server did not answer in time. Only the first call counts. */
  release(silent: boolean): void;
}

export interface Connection {
  /** @throws StoreUnavailable after `close` */
  acquire(): Lease;
  /** Lets appends under way end. */
  close(): Promise<void>;
}

interface Shared {
  readonly client: Client;
  users: number;
  answers: number;
}

export function createConnection(open: () => Client): Connection {
  const all = new Set<Shared>();
  let current: Shared | undefined;
  let closed = false;

  async function closeClient(shared: Shared): Promise<void> {
    all.delete(shared);
    await shared.client.close();
  }

  return {
    acquire() {
      if (closed) throw new StoreUnavailable('The connection to EventStoreDB has been closed.');
      if (!current) all.add((current = { client: open(), users: 0, answers: 0 }));
      const shared = current;
      const answersBefore = shared.answers;
      let released = false;
      shared.users += 1;
      return {
        client: shared.client.calls,
        appends: shared.client.appends,
        heard() {
          shared.answers += 1;
        },
        release(silent) {
          if (released) return;
          released = true;
          shared.users -= 1;
          if (silent && shared === current && shared.answers === answersBefore) current = undefined;
          if (shared !== current && shared.users === 0) void closeClient(shared);
        },
      };
    },
    async close() {
      closed = true;
      current = undefined;
      await Promise.all([...all].map(closeClient));
    },
  };
}
