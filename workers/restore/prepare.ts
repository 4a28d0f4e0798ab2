/**
 * Runs before any worker acts on a restored history. Work that may already have happened is held, and rows that the
 * copy lacks are created again from the streams (docs/adr/0025). One process does this once per restore; it may be
 * interrupted and started again.
 */
import type { App } from '../../application/app.js';
import { readHorizon, type Horizon } from '../../application/restore/horizon.js';
import { findOpenWork } from '../../application/restore/open-work.js';
import type { CollectionSpec, ReadModels } from '../../ports/read-models.js';
import { pause } from '../../ports/waiting.js';
import { heldWork } from '../../read-models/held-work.js';
import { prepareFlows } from './flows.js';
import { prepareHolds } from './orders.js';
import { endCatchUps, endWebhookJobs, holdDeliveries, holdRetries } from './rows.js';
import { prepareSends } from './sends.js';
import { putBackFiles, putBackOrders } from './rebuilt.js';

/** Holds no documents; the position of the last prepared restore is stored like a projection's checkpoint. */
export const restoreCheckpoints: CollectionSpec = { name: 'restores', version: 1, indexes: {} };
const PREPARED = 'restores@1';

const LOOK_EVERY_MS = 500;

/** True if all work that a restore requires to be held is held. */
export const isPrepared = async (
  readModels: Pick<ReadModels, 'checkpoint'>,
  { position }: Horizon,
): Promise<boolean> => (await readModels.checkpoint(PREPARED)) >= position;

/** Resolves with the last restore once it is prepared; null if there was no restore. @throws StoreUnavailable */
export async function prepareRestore(
  app: Pick<App, 'clock' | 'dueTimes' | 'executor' | 'leases' | 'logger' | 'readModels' | 'store'>,
): Promise<Horizon | null> {
  const horizon = await readHorizon(app.store);
  if (horizon === null) return null;
  while (!(await isPrepared(app.readModels, horizon))) {
    const lease = await app.leases.acquire('restore');
    if (lease === null) {
      await pause(app.clock, LOOK_EVERY_MS);
      continue;
    }
    try {
      await prepare(app, horizon);
    } finally {
      await lease.release();
    }
  }
  return horizon;
}

async function prepare(
  app: Pick<App, 'clock' | 'dueTimes' | 'executor' | 'logger' | 'readModels' | 'store'>,
  horizon: Horizon,
): Promise<void> {
  const { readModels, logger } = app;
  const from = await readModels.checkpoint(PREPARED);
  if (from >= horizon.position) return;
  const restored_at = new Date(horizon.at).toISOString();
  logger.warn({ restored_at }, 'the history was restored: what may already have happened is held');
  const open = await findOpenWork(app.store, horizon.position);
  await prepareSends(app, horizon, open);
  await prepareFlows(app, horizon, open);
  await prepareHolds(app, horizon, open);
  await putBackOrders(app, horizon, open);
  await putBackFiles(app, open);
  if (!horizon.nothingRanSince) {
    await endCatchUps(app, horizon);
    await endWebhookJobs(app, horizon);
    await holdDeliveries(app, horizon);
    await holdRetries(app, horizon);
  }
  await readModels.commit(restoreCheckpoints.name, {
    projection: PREPARED,
    from,
    to: horizon.position,
    writes: [],
  });
  logger.warn({ restored_at }, 'the restore is prepared; see recado operations list --held');
}

export const restoreCollections: readonly CollectionSpec[] = [heldWork, restoreCheckpoints];
