/** The embedded store: everything in one file under DATA_DIR. */
import { createLeases } from '../../adapters/embedded/leases.js';
import { openEmbedded, type Embedded, type EmbeddedOptions } from '../../adapters/embedded/open.js';
import type { S3Options } from '../../adapters/blobs/s3.js';
import { openBlobs } from './blobs.js';
import type { Stores } from './stores.js';

export interface EmbeddedStores extends Stores {
  readonly embedded: Embedded;
}

export async function openEmbeddedStores(
  options: EmbeddedOptions & { readonly s3: S3Options | null },
): Promise<EmbeddedStores> {
  const embedded = await openEmbedded(options);
  const { eventStore, readModels, topics, dueTimes, personalKeys, sealedKeys, historyTexts } = embedded;
  return {
    embedded,
    eventStore,
    readModels,
    topics,
    dueTimes,
    personalKeys,
    sealedKeys,
    historyTexts,
    leases: createLeases(),
    ...openBlobs(options),
    close: () => embedded.close(),
  };
}
