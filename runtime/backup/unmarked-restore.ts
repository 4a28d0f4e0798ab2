/**
 * Detects a manual restore that is not on record: EventStoreDB contains a history that MongoDB has never seen. The
 * relay would then start at the first event, and repeat all notifications and actions.
 */
import { readHorizon } from '../../application/restore/horizon.js';
import { START, type EventStore } from '../../ports/event-store.js';
import type { ReadModels } from '../../ports/read-models.js';
import { deployment } from '../../read-models/deployment.js';
import { ConfigError } from '../config.js';
import { ID } from '../master-key-check.js';

/**
 * Must run before the first process of a deployment stores its document in MongoDB, which happens before it writes any
 * event.
 * @throws ConfigError
 */
export async function refuseUnmarkedRestore(
  store: Pick<EventStore, 'read' | 'readAll'>,
  readModels: Pick<ReadModels, 'define' | 'get'>,
): Promise<void> {
  await readModels.define(deployment);
  const isKnown = async (): Promise<boolean> => (await readModels.get(deployment.name, ID)) !== undefined;
  if ((await isKnown()) || (await readHorizon(store)) !== null || !(await hasEvents(store))) return;
  // Another process of a new deployment may have started in between.
  if (await isKnown()) return;
  throw new ConfigError(
    'EVENTSTORE_URL holds a history, and MONGODB_URL knows nothing of it: no checkpoint and no restore is on record. ' +
      'All its pending work would be done again, and webhooks would be sent again. If it was restored from a backup, run "recado restore --mark" ' +
      'with the same settings, and start again. If not, check MONGODB_URL and EVENTSTORE_STREAM_PREFIX.',
  );
}

async function hasEvents(store: Pick<EventStore, 'readAll'>): Promise<boolean> {
  for (let after = START; ;) {
    const { records, next, atEnd } = await store.readAll({ after, limit: 1 });
    if (records.length > 0) return true;
    if (atEnd) return false;
    after = next;
  }
}
