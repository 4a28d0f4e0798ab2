/**
 * The connection that calls share. A client reconnects by itself when the server closes the connection. But when a
 * server stays silent (frozen, or a new address behind the same name), the client waits on a dead connection. Then a
 * new client replaces it, and the old one is closed when nobody uses it any more.
 */
import { StoreUnavailable } from '../../ports/event-store.js';
import type { EventStoreDBClient } from '@eventstore/db-client';
import type { Appends } from './appends.js';
import type { Client } from './client.js';

export interface Lease {
  readonly client: EventStoreDBClient;
  readonly appends: Appends;
  /** Reports that the server has answered something. */
  heard(): void;
  /** `silent`: the server did not answer in time. Only the first call has an effect. */
  release(silent: boolean): void;
}

export interface Connection {
  /** @throws StoreUnavailable after `close` */
  acquire(): Lease;
  /** Lets appends in progress end. */
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
