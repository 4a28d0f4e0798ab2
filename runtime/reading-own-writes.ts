/**
 * An app for one caller with many steps: it waits for its own writes before a read and at the end, not after each step.
 * Projections apply a batch together, so one wait for all steps costs as much as a wait for one.
 */
import type { App } from '../application/app.js';
import { START, type Position } from '../ports/event-store.js';
import type { ReadModels } from '../ports/read-models.js';
import { noting } from './noting-appends.js';

export interface ReadingOwnWrites {
  readonly app: App;
  /** Resolves when everything written with the app can be read, or `withinMs` have passed. */
  readonly shown: () => Promise<void>;
}

/** @param withinMs longest wait for projections that have stopped: they delay reads, but don't prevent them */
export function readingOwnWrites(of: App, withinMs: number): ReadingOwnWrites {
  let last = START;
  let seen = START;

  async function shown(): Promise<void> {
    const upTo: Position = last;
    if (upTo <= seen) return;
    await of.readModelsReached(upTo, withinMs);
    if (upTo > seen) seen = upTo;
  }
  async function afterThat<T>(read: () => Promise<T>): Promise<T> {
    await shown();
    return read();
  }

  const store = noting(of.store, (position) => {
    if (position > last) last = position;
  });
  const { readModels: inner } = of;
  const readModels: ReadModels = {
    ...inner,
    scan: (collection, query) => afterThat(() => inner.scan(collection, query)),
    get: (collection, id) => afterThat(() => inner.get(collection, id)),
    getMany: (collection, ids) => afterThat(() => inner.getMany(collection, ids)),
    find: (collection, query) => afterThat(() => inner.find(collection, query)),
    search: (collection, query) => afterThat(() => inner.search(collection, query)),
    count: (...asked) => afterThat(() => inner.count(...asked)),
  };
  return { app: { ...of, store, readModels, executor: of.executor.over(store) }, shown };
}
