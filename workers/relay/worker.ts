/**
 * Relays the history to the topics, where both are not written in one transaction: publish, then move the checkpoint. A
 * crash between the two publishes again, which changes nothing for consumers. One process at a time.
 */
import type { App } from '../../application/app.js';
import { relay, RELAYED_PREFIXES } from '../../application/relay.js';
import { readHorizon } from '../../application/restore/horizon.js';
import { createTenure } from '../../application/tenure.js';
import { START, type Position } from '../../ports/event-store.js';
import type { Lease } from '../../ports/leases.js';
import { CheckpointMoved, type CollectionSpec } from '../../ports/read-models.js';
import { pause } from '../../ports/waiting.js';
import { whileHolding, type Exclusive, type ExclusiveRun } from '../kernel/exclusive.js';
import { createThrottledErrorLog } from '../kernel/throttled-error-log.js';
import { createPlace } from './place.js';

/** Holds no documents: the relay only has a checkpoint, kept like those of projections. */
export const relayCheckpoints: CollectionSpec = { name: 'relay', version: 1, indexes: {} };
export const RELAY = 'relay@1';

const LOOK_EVERY_MS = 200;

export const startRelay = (
  app: Pick<App, 'clock' | 'leases' | 'logger' | 'readModels' | 'store' | 'topics'>,
): Exclusive => whileHolding(app, RELAY, (lease) => run(app, lease));

async function run(
  app: Pick<App, 'clock' | 'logger' | 'readModels' | 'store' | 'topics'>,
  lease: Lease,
): Promise<ExclusiveRun> {
  const { store, readModels, topics, clock } = app;
  const trouble = createThrottledErrorLog(app, 'relaying to the topics');
  const from = await begin(app);
  const tenure = createTenure('the relay', () => lease.held());
  function failed(error: unknown): void {
    if (error instanceof CheckpointMoved) tenure.lose(error);
    else trouble.failed(error);
  }
  const place = createPlace(from, {
    topics,
    clock,
    commit: (at, to) =>
      readModels.commit(relayCheckpoints.name, { projection: RELAY, from: at, to, writes: [] }),
    held: () => tenure.isOurs(),
    failed,
  });
  const subscription = store.subscribe({
    after: from,
    prefixes: RELAYED_PREFIXES,
    async onBatch(records, to) {
      if (!tenure.goesOn()) return;
      try {
        await place.relay(
          records.flatMap((record) => relay(record)),
          to,
        );
      } catch (error) {
        if (error instanceof CheckpointMoved) return tenure.lose(error);
        throw error;
      }
      trouble.worked();
    },
    onError: trouble.failed,
  });
  return {
    ended: tenure.ended,
    async stop() {
      await subscription.stop();
      await place.stop();
    },
  };
}

/**
 * The relay's checkpoint; after a restore, the end of the restored history, whose events were published before or never
 * will be.
 */
async function begin({ store, readModels }: Pick<App, 'readModels' | 'store'>): Promise<Position> {
  const from = await readModels.checkpoint(RELAY);
  const horizon = await readHorizon(store);
  if (horizon === null || from >= horizon.position) return from;
  // Its own checkpoint came with the copy, and nothing ran since: the relay continues there.
  if (horizon.nothingRanSince && from !== START) return from;
  const { position: to } = horizon;
  await readModels.commit(relayCheckpoints.name, { projection: RELAY, from, to, writes: [] });
  return to;
}

/**
 * Resolves with true once everything that was written to these streams before the call is in the topics, no matter
 * which process publishes it. Resolves with false when it must stop.
 *
 * @throws StoreUnavailable
 */
export async function untilRelayed(
  app: Pick<App, 'store' | 'readModels' | 'clock'>,
  prefixes: readonly string[],
  stopping: () => boolean,
): Promise<boolean> {
  const target = await app.store.head();
  while (!stopping()) {
    if (await isRelayed(app, target, prefixes)) return true;
    await pause(app.clock, LOOK_EVERY_MS);
  }
  return false;
}

/** The checkpoint alone is not enough: it may be far behind while nothing relevant to the topics is written. */
async function isRelayed(
  { store, readModels }: Pick<App, 'store' | 'readModels'>,
  target: Position,
  prefixes: readonly string[],
): Promise<boolean> {
  for (let after = await readModels.checkpoint(RELAY); after < target;) {
    const { records, next, atEnd } = await store.readAll({ after, limit: 1, prefixes });
    const [first] = records;
    if (first) return first.position > target;
    if (atEnd) return true;
    after = next;
  }
  return true;
}
