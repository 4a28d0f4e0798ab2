/** The composition root: the only module that knows how everything is connected. */
import { createSharedClock } from '../adapters/clock/shared.js';
import { newId, systemClock } from '../adapters/clock/system.js';
import { createSecretBox } from '../adapters/crypto/secret-box.js';
import type { Embedded } from '../adapters/embedded/open.js';
import { createImageDecoder } from '../adapters/images/sharp.js';
import type { App } from '../application/app.js';
import { createCodec } from '../application/codec.js';
import { createExecutor } from '../application/execute.js';
import { createDeliveryNews, type DeliveryNews } from '../application/console/delivery-news.js';
import { createMediaLinks } from '../application/media/links.js';
import { beginOrder } from '../application/event-feed/envelopes.js';
import { NEAR, ORDERED } from '../read-models/event-envelopes.js';
import { createLastOrdinals } from '../application/conversation/last-ordinals.js';
import { createPersonOwners } from '../application/people/person-owners.js';
import { createKeyedSemaphore } from '../application/store/keyed-semaphore.js';
import { withRecentStreams } from '../application/recent-streams.js';
import { relay } from '../application/relay.js';
import { createRegistry } from '../domain/catalog.js';
import type { Clock } from '../ports/clock.js';
import type { Logger } from '../ports/logger.js';
import type { ProviderMedia } from '../ports/provider-media.js';
import type { ProviderUploads } from '../ports/provider-uploads.js';
import type { Upgrade } from '../read-models/deployment.js';
import type { Failure } from '../read-models/projection-states.js';
import { projections } from '../projections/catalog.js';
import { createReplay } from '../projections/replay.js';
import { lowPriority, waitingForReadModels } from './app-variants.js';
import type { Config } from './config.js';
import { withHeldLeases } from './held-leases.js';
import { watchClock, type ClockWatch } from './clock-watch.js';
import { watchParts, type Health } from './health.js';
import { openOutside } from './outside.js';
import { createOwnWrites } from './own-writes.js';
import { prepareStores, type Patiently } from './prepare-stores.js';
import { startProjectionsRole } from './projections-role.js';
import { startProjectionGuard, type ProjectionKeeper } from '../projections/guard.js';
import { createReading } from './reading.js';
import type { DerivedSecrets } from './secrets.js';
import { noteUpgrade } from './upgrade.js';
import { packageVersion } from './version.js';
import { whileStarting } from './starting.js';
import { openStores, type OpenStoresDeps } from './stores/open.js';
import type { Stores } from './stores/stores.js';

export interface Core {
  readonly app: App;
  /**
   * The same app, but each write waits until the read models include it. For code that writes, then reads, and is in no
   * hurry: provisioning.
   */
  readonly patientApp: App;
  /** The same app for background work: where one process does everything, requests take precedence. */
  readonly workerApp: App;
  readonly providerMedia: ProviderMedia;
  readonly providerUploads: ProviderUploads;
  readonly stores: Stores;
  /** Deliveries that this process writes. */
  readonly deliveryNews: DeliveryNews;
  /** Null except with the embedded store. */
  readonly embedded: Embedded | null;
  /** The last error by projection name, for the projections that this process runs; empty when none has failed. */
  readonly projectionErrors: () => ReadonlyMap<string, Failure>;
  /** The read models that this process's work waits for, by name, with the start of the wait. */
  readonly readModelWaits: () => ReadonlyMap<string, number>;
  /** Runs a request's work, and returns once its writes can be read. */
  readonly visible: <T>(work: () => Promise<T>) => Promise<T>;
  readonly health: Health;
  readonly clockWatch: ClockWatch;
  /** The last upgrade that a start of this deployment recorded; null when none was recorded. */
  readonly upgrade: Upgrade | null;
  /** Names of the leases that this process holds. */
  readonly heldLeases: () => readonly string[];
  close(): Promise<void>;
}

export interface CoreDeps extends Pick<OpenStoresDeps, 'openRealStack'> {
  readonly masterKey: Uint8Array;
  readonly secrets: DerivedSecrets;
  readonly providerUrl: string;
  /**
   * URL under which others reach the API, used without PUBLIC_URL. Called only when needed: the port may be known late.
   */
  readonly ownUrl?: () => string;
  readonly logger: Logger;
  /** The machine's clock; tests pass one that they control. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Builds stores and use-cases; no background work runs yet. With the embedded store, the read models are current when
 * this resolves.
 */
export async function composeCore(config: Config, deps: CoreDeps): Promise<Core> {
  const { logger } = deps;
  const { realStack } = config;
  const machine = deps.clock ?? systemClock;
  const shared = realStack ? createSharedClock(logger, machine) : null;
  const clock: Clock = shared ?? machine;
  const secrets = createSecretBox(deps.masterKey);
  const registry = createRegistry();
  const { stores, embedded } = await openStores(config, { ...deps, secretBox: secrets, clock });
  const { topics, dueTimes, personalKeys: keys } = stores;
  const deliveryNews = createDeliveryNews();
  const readModels = deliveryNews.around(stores.readModels);
  if (shared && stores.serverTime) await shared.follow(stores.serverTime);
  const holding = withHeldLeases(stores.leases);
  const { leases } = holding;

  const reading = createReading({ eventStore: stores.eventStore, embedded, readModels, clock, logger });
  const { progress, skips, shownHere, barrier } = reading;
  const ownWrites = realStack
    ? createOwnWrites(withRecentStreams(stores.eventStore), progress.reached, realStack.ownWritesWaitMs)
    : null;
  const store = ownWrites?.store ?? stores.eventStore;
  const { keysFreshMs } = stores;
  const codec = createCodec(
    registry,
    keys,
    keysFreshMs === undefined ? undefined : { keysFreshMs, monotonic: () => clock.monotonic() },
  );
  const publicUrl = (): string =>
    config.publicUrl ?? deps.ownUrl?.() ?? `http://${config.host}:${config.port}`;
  let orderedAfter = Infinity;
  let nearAfter = Infinity;
  const outside = await openOutside(config, deps.providerUrl, clock, logger);
  const { tracing } = outside;
  const app: App = {
    store,
    readModels,
    topics,
    dueTimes,
    leases,
    blobs: stores.blobs,
    mediaLinks: createMediaLinks(deps.secrets.mediaSecret, publicUrl),
    images: {
      fetcher: outside.imageFetcher,
      decoder: createImageDecoder(),
      turns: createKeyedSemaphore({ total: 12, perKey: 6 }),
    },
    publicUrl,
    keys,
    ...(embedded ? { clearRemnants: embedded.clearRemnants } : {}),
    codec,
    registry,
    executor: createExecutor({
      store,
      codec,
      registry,
      clock,
      newId,
      onlyWriter: embedded !== null,
      ...(keysFreshMs === undefined ? {} : { guessMs: keysFreshMs }),
    }),
    personOwners: createPersonOwners(),
    envelopesOrderedAfter: () => orderedAfter,
    deliveriesNearAfter: () => nearAfter,
    lastOrdinals: createLastOrdinals(),
    lately: shownHere.document,
    stateHere: shownHere.state,
    ...createReplay(projections, { store, codec, skips }),
    readModelsReached: embedded ? () => Promise.resolve(true) : progress.reached,
    barrier,
    provider: outside.provider,
    sender: outside.sender,
    secrets,
    clock,
    newId,
    logger,
    ...(tracing ? { tracing } : {}),
    settings: settingsOf(config, deps.secrets),
    indexSecret: deps.secrets.indexSecret,
  };

  const patiently: Patiently = (work) => whileStarting(clock, realStack?.connectTimeoutMs ?? 0, work);
  await prepareStores(config, {
    readModels,
    secrets,
    eventStore: stores.eventStore,
    patiently,
    async close() {
      shared?.stop();
      await stores.close();
    },
  });
  if (embedded) {
    orderedAfter = await beginOrder(readModels, stores.eventStore, ORDERED);
    nearAfter = await beginOrder(readModels, stores.eventStore, NEAR);
  }
  let keeper: ProjectionKeeper | null = null;
  if (embedded) {
    keeper = await startProjectionGuard(lowPriority(app, embedded, deliveryNews), projections, {
      embedded,
      skips,
      // Imported events were already acted on in the system they come from, so they are not relayed.
      relay: config.historyImport ? null : relay,
    });
  } else if (config.roles.has('projections') && stores.sweepIntents) {
    keeper = startProjectionsRole(app, projections, {
      skips,
      onProgress: progress.note,
      shownHere,
      relays: !config.historyImport,
      sweepIntents: stores.sweepIntents,
    });
  }
  const upgrade = await patiently(() =>
    noteUpgrade(app, packageVersion(), embedded && embedded.schema.from > 0 ? embedded.schema : null),
  );
  const health = watchParts(stores.parts, { clock, logger });
  const clockWatch = watchClock({ clock, logger }, embedded?.latestEventAt ?? 0);
  return {
    app,
    providerMedia: outside.providerMedia,
    providerUploads: outside.providerUploads,
    patientApp: embedded ? app : waitingForReadModels(app),
    workerApp: embedded ? lowPriority(app, embedded, deliveryNews) : app,
    stores,
    deliveryNews,
    embedded,
    projectionErrors: () => keeper?.errors() ?? new Map(),
    readModelWaits: reading.waits.current,
    visible: ownWrites?.visible ?? ((work) => work()),
    health,
    clockWatch,
    upgrade,
    heldLeases: () => holding.held(),
    async close() {
      shared?.stop();
      health.stop();
      clockWatch.stop();
      await Promise.all([keeper?.stop(), barrier.stop()]);
      await outside.close();
      await stores.close();
    },
  };
}

const settingsOf = (config: Config, secrets: DerivedSecrets): App['settings'] => ({
  pacingWindowMs: config.pacingWindowMs,
  reconcileWindowMs: config.reconcileWindowMs,
  providerTimeoutMs: config.providerTimeoutMs,
  channelRate: config.channelRate,
  paceRecipients: config.paceRecipients,
  deliveryLogDays: config.deliveryLogDays,
  whatsappAppSecret: config.whatsappAppSecret ?? secrets.whatsappAppSecret,
  whatsappVerifyToken: config.whatsappVerifyToken ?? secrets.whatsappVerifyToken,
});
