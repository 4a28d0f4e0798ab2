/**
 * The same application while new versions of read models are being built: these are empty, and the barrier reports it.
 */
import type { App } from '../../../application/app.js';
import type { Clock } from '../../../ports/clock.js';
import { START } from '../../../ports/event-store.js';
import { parseAddress, type ReadModels } from '../../../ports/read-models.js';
import { createBarrier } from '../../../projections/barrier.js';
import { projections } from '../../../projections/catalog.js';

/** A clock on which every wait ends at once. */
function hastyClock(clock: Clock): Clock {
  let ahead = 0;
  return {
    now: () => clock.now(),
    monotonic: () => ahead,
    after(ms, task) {
      ahead += ms;
      const soon = setImmediate(task);
      return () => clearImmediate(soon);
    },
  };
}

export function beingBuilt(app: App, models: readonly string[]): App {
  const { readModels: inner, store } = app;
  const isEmpty = (address: string): boolean => models.includes(parseAddress(address)!.name);
  const nothing = { documents: [], next: null };
  const readModels: ReadModels = {
    ...inner,
    get: async (collection, id) => (isEmpty(collection) ? undefined : inner.get(collection, id)),
    getMany: async (collection, ids) => (isEmpty(collection) ? [] : inner.getMany(collection, ids)),
    find: async (collection, query) => (isEmpty(collection) ? nothing : inner.find(collection, query)),
    search: async (collection, query) => (isEmpty(collection) ? nothing : inner.search(collection, query)),
    count: async (collection, ...asked) => (isEmpty(collection) ? 0 : inner.count(collection, ...asked)),
    checkpoint: async (projection) => (isEmpty(projection) ? START : inner.checkpoint(projection)),
  };
  const barrier = createBarrier(projections, { store, readModels, clock: hastyClock(app.clock) });
  return { ...app, readModels, barrier };
}
