/** Opens the stores of a process: those of servers where they are configured, else the embedded store. */
import type { Embedded } from '../../adapters/embedded/open.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { SecretBox } from '../../ports/secret-box.js';
import type { Config } from '../config.js';
import { demoWasBrokenOff } from '../demo/demo.js';
import { openEmbeddedStores } from './embedded.js';
import type { openRealStack as OpenRealStackFunction } from './real.js';
import type { Stores } from './stores.js';

export interface OpenStoresDeps {
  /**
   * Opens EventStoreDB, MongoDB and Kafka. Left out: loaded when needed, since loading the drivers would double the
   * start time of other deployments.
   */
  readonly openRealStack?: typeof OpenRealStackFunction;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly logger: Logger;
}

export async function openStores(
  config: Config,
  deps: OpenStoresDeps,
): Promise<{ readonly stores: Stores; readonly embedded: Embedded | null }> {
  const { realStack } = config;
  const { openRealStack, secretBox, clock, logger } = deps;
  if (!realStack) return openOnDisk(config, deps);
  const open = openRealStack ?? (await import('./real.js')).openRealStack;
  const stores = await open({
    settings: realStack,
    s3: config.s3,
    dataDir: config.dataDir,
    secretBox,
    clock,
    logger,
  });
  return { stores, embedded: null };
}

async function openOnDisk(config: Config, { secretBox, clock, logger }: OpenStoresDeps) {
  const stores = await openEmbeddedStores({
    dataDir: config.dataDir,
    s3: config.s3,
    secretBox,
    vacuum: config.upgradeVacuum,
    discard: () => config.demo && demoWasBrokenOff(config.dataDir),
    logger,
    clock,
    onProjectionError: (projection, error, position) =>
      logger.error({ err: error, projection, position }, 'projection failed inside a write'),
  });
  return { stores, embedded: stores.embedded };
}
