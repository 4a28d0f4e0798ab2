/**
 * Read your own writes over several processes (spec §4): a request is answered only once its writes can be read. The
 * caller's next request then sees them in any process. The wait is bounded: projections that have stopped delay
 * answers, but don't prevent them.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { START, type EventStore, type Position } from '../ports/event-store.js';
import { noting } from './noting-appends.js';

export interface OwnWrites {
  /** The store for the rest of the process: it records the position of each request's last write. */
  readonly store: EventStore;
  /** Runs a request's work and waits until its writes can be read. */
  readonly visible: <T>(work: () => Promise<T>) => Promise<T>;
}

export function createOwnWrites(
  inner: EventStore,
  reached: (position: Position, withinMs: number) => Promise<boolean>,
  withinMs: number,
): OwnWrites {
  const requests = new AsyncLocalStorage<{ last: Position }>();
  return {
    store: noting(inner, (position) => {
      const request = requests.getStore();
      if (request && position > request.last) request.last = position;
    }),
    async visible(work) {
      const request = { last: START };
      const result = await requests.run(request, work);
      if (request.last !== START) await reached(request.last, withinMs);
      return result;
    },
  };
}
