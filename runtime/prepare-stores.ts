/**
 * What has to be true of the stores before anything is written or followed: they have the collections that are written,
 * they are not an older backup's, and they belong to this master key.
 */
import type { App } from '../application/app.js';
import type { EventStore } from '../ports/event-store.js';
import type { CollectionSpec, ReadModels } from '../ports/read-models.js';
import { projections } from '../projections/catalog.js';
import { collections } from '../projections/follow.js';
import { operatorCollections } from '../projections/operator-collections.js';
import { imageUploads } from '../read-models/image-uploads.js';
import { parkedMessages } from '../read-models/parked-messages.js';
import { relayCheckpoints } from '../workers/relay/worker.js';
import { restoreCollections } from '../workers/restore/prepare.js';
import { earlierOrders } from '../workers/store/earlier-orders.js';
import { webhookCollections } from '../workers/webhooks/documents.js';
import { refuseUnmarkedRestore } from './backup/unmarked-restore.js';
import type { Config } from './config.js';
import { sameMasterKey } from './master-key-check.js';

/** Runs work that is safe to repeat: a server that has just started may be too busy at first. */
export type Patiently = <T>(work: () => Promise<T>) => Promise<T>;

export interface PrepareStoresDeps extends Pick<App, 'readModels' | 'secrets'> {
  readonly eventStore: EventStore;
  readonly patiently: Patiently;
  /** Called when these stores are refused. */
  readonly close: () => Promise<void>;
}

/** @throws what an operator has to correct */
export async function prepareStores(config: Config, deps: PrepareStoresDeps): Promise<void> {
  const { readModels, secrets, patiently } = deps;
  const closed = async (error: unknown): Promise<never> => {
    await deps.close();
    throw error;
  };
  await patiently(() =>
    define(readModels, [
      ...webhookCollections,
      parkedMessages,
      ...restoreCollections,
      earlierOrders,
      imageUploads,
      ...operatorCollections,
    ]),
  );
  if (config.realStack === null) {
    // Prevents new data from being sealed under a key that can't open the old data.
    const from = config.masterKey === null ? 'master.key in DATA_DIR' : 'RECADO_MASTER_KEY';
    await sameMasterKey(readModels, secrets, from).catch(closed);
    return;
  }
  await patiently(() => define(readModels, [...collections(projections), relayCheckpoints]));
  await patiently(() => refuseUnmarkedRestore(deps.eventStore, readModels)).catch(closed);
  await patiently(() => sameMasterKey(readModels, secrets));
}

const define = (readModels: ReadModels, specs: readonly CollectionSpec[]): Promise<unknown> =>
  Promise.all(specs.map((spec) => readModels.define(spec)));
