import type { App } from '../../application/app.js';
import type { Position } from '../../ports/event-store.js';
import { projections } from '../../projections/catalog.js';
import { IN_STEP } from '../../projections/follow.js';
import { eventsAfter } from '../../projections/lag.js';
import { checkpointName } from '../../projections/projection.js';
import { unpaged, type AdminHandlers } from './support.js';

const MESSAGE = 2_000;
/** Counted one by one, so only as far as it says something. */
const LAG_CAP = 10_000;

export const projectionRoutes = (app: App, errors: () => ReadonlyMap<string, string>): AdminHandlers => ({
  listProjections: async () => {
    const failed = errors();
    const { store, readModels } = app;
    const measured = new Map<Position, Promise<number>>();
    const behind = (position: Position): Promise<number> => {
      let lag = measured.get(position);
      if (!lag) measured.set(position, (lag = eventsAfter(store, position, LAG_CAP)));
      return lag;
    };
    const rows = projections.map(async (projection) => {
      const name = checkpointName(projection);
      const own = await readModels.checkpoint(name);
      // Checkpoints of projections that an event does not concern stay behind the one they have in common.
      const common = await readModels.checkpoint(IN_STEP);
      const error = failed.get(projection.name) ?? null;
      const position = error === null && common > own ? common : own;
      const lag = await behind(position);
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
