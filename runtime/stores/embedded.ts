/** The embedded store: everything in one file under DATA_DIR. */
import { createLeases } from '../../adapters/embedded/leases.js';
import { openEmbedded, type Embedded, type EmbeddedOptions } from '../../adapters/embedded/open.js';
import type { S3Options } from '../../adapters/blobs/s3.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import { createThrottledErrorLog } from '../../workers/kernel/throttled-error-log.js';
import { createKeptRows } from '../../workers/lanes/kept-rows.js';
import { openBlobs } from './blobs.js';
import type { Stores } from './stores.js';

export interface EmbeddedStores extends Stores {
  readonly embedded: Embedded;
}

export async function openEmbeddedStores(
  options: EmbeddedOptions & {
    readonly s3: S3Options | null;
    readonly clock: Clock;
    readonly logger: Logger;
  },
): Promise<EmbeddedStores> {
  const embedded = await openEmbedded(options);
  const trouble = createThrottledErrorLog(options, 'storing rows that were kept in memory');
  const keptRows = createKeptRows(embedded.dueTimes, options.clock, trouble);
  const letGo = async (): Promise<void> => {
    await keptRows.letGo();
    await embedded.flushDocuments();
  };
  const { eventStore, readModels, topics, personalKeys, sealedKeys, historyTexts } = embedded;
  return {
    embedded,
    eventStore,
    readModels,
    topics: {
      ...topics,
      consume: (consuming) => topics.consume({ ...consuming, letGo }),
    },
    dueTimes: keptRows,
    personalKeys,
    sealedKeys,
    historyTexts,
    leases: createLeases(),
    ...openBlobs(options),
    close: () => embedded.close(),
  };
}
