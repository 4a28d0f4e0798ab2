/** What is looked up when somebody scrapes. */
import { projections } from '../projections/catalog.js';
import { projectionLags } from '../projections/lag.js';
import type { Core, Workers } from './compose.js';
import type { Config } from './config.js';
import type { Metrics } from './metrics.js';

/** Leases on channels: as many as there are channels, so they are counted and not named. */
const CHANNEL = 'send:';

export function observe(core: Core, workers: Workers | null, roles: Config['roles'], metrics: Metrics): void {
  if (workers) {
    metrics.onScrape('worker_lag_messages', 'Messages each worker still has to handle', () => workers.lags());
    metrics.onScrape('channels_paced', 'Channels whose sends this process paces', async () => ({
      all: core.heldLeases().filter((name) => name.startsWith(CHANNEL)).length,
    }));
  }
  if (core.embedded) return observeEmbedded(core.embedded, metrics);
  metrics.onScrape(
    'part_up',
    'Whether the servers that this process needs answer',
    async () =>
      Object.fromEntries(core.stores.parts.map(({ name }) => [name, core.health.isUp(name) ? 1 : 0])),
    'part',
  );
  metrics.onScrape('lease_held', 'Leases for work that one process does at a time', async () =>
    Object.fromEntries(
      core
        .heldLeases()
        .filter((name) => !name.startsWith(CHANNEL))
        .map((name) => [name, 1]),
    ),
  );
  if (roles.has('projections')) {
    metrics.onScrape(
      'projection_lag_seconds',
      'Age of the oldest event that a projection has not applied',
      () => projectionLags(projections, new Set(core.projectionErrors().keys()), core.app),
      'projection',
    );
  }
}

function observeEmbedded(embedded: NonNullable<Core['embedded']>, metrics: Metrics): void {
  metrics.onScrape('store', 'State of the embedded store', async () => {
    const { walBytes, commits, appendedEvents, behind } = embedded.stats();
    return {
      wal_bytes: walBytes,
      commits,
      appended_events: appendedEvents,
      projections_behind: behind.length,
    };
  });
}
