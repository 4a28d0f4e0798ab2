import type { App } from '../../application/app.js';
import { projections } from '../../projections/catalog.js';
import { checkpointName } from '../../projections/projection.js';
import { unpaged, type AdminHandlers } from './support.js';

const MESSAGE = 2_000;

export const projectionRoutes = (app: App, errors: () => ReadonlyMap<string, string>): AdminHandlers => ({
  listProjections: async () => {
    const failed = errors();
    const { store, readModels } = app;
    // Before the checkpoints, so that none of them is ahead of it.
    const head = await store.head();
    const rows = projections.map(async (projection) => {
      const position = await readModels.checkpoint(checkpointName(projection));
      const lag = Math.max(0, store.sequenceOf(head) - store.sequenceOf(position));
      const error = failed.get(projection.name) ?? null;
      return {
        name: projection.name,
        version: projection.version,
        position: position === '' ? null : position,
        lag_events: lag,
        status: error !== null ? 'failed' : lag === 0 ? 'live' : 'catching_up',
        last_error: error?.slice(0, MESSAGE) ?? null,
      };
    });
    return unpaged(await Promise.all(rows));
  },
});
