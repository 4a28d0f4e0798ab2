/** Records in the history that EventStoreDB was restored with its own tools. No other process may run meanwhile. */
import { newId, systemClock } from '../../adapters/clock/system.js';
import { markRestored, restoredRecord } from '../../application/restore/horizon.js';
import { silentLogger } from '../../ports/logger.js';
import { ConfigError, readConfig } from '../config.js';

/** @throws ConfigError, StoreUnavailable */
export async function markServers(
  env: Readonly<Record<string, string | undefined>>,
  nothingRanSince: boolean,
): Promise<Readonly<Record<string, unknown>>> {
  const { realStack } = readConfig(env, false);
  if (realStack === null) {
    throw new ConfigError(
      'EVENTSTORE_URL, MONGODB_URL and KAFKA_BROKERS are not set, so there are no servers to mark. A backup of the embedded store is restored with: recado restore FILE --data-dir FOLDER.',
    );
  }
  const [{ openEventStoreDb }, { withStreamPrefix }] = await Promise.all([
    import('../../adapters/eventstoredb/open.js'),
    import('../../adapters/eventstoredb/stream-prefix.js'),
  ]);
  const clock = systemClock;
  const events = openEventStoreDb({ url: realStack.eventStoreUrl, logger: silentLogger, clock });
  try {
    const data = { source: 'servers', nothing_ran_since: nothingRanSince } as const;
    const record = restoredRecord(data, { now: clock.now(), newId });
    const store = withStreamPrefix(events.eventStore, realStack.streamPrefix);
    const position = await markRestored(store, record);
    return { position, restored_at: record.meta.occurred_at, nothing_ran_since: nothingRanSince };
  } finally {
    await events.close();
  }
}
