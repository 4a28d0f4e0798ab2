/** The composition root: the only module that knows how everything is connected. */
import { createImageFetcher } from '../adapters/http/image-fetcher.js';
import { createHttpSender } from '../adapters/http/safe-sender.js';
import { createSharedClock } from '../adapters/clock/shared.js';
import { newId, systemClock } from '../adapters/clock/system.js';
import { createSecretBox } from '../adapters/crypto/secret-box.js';
import type { Embedded } from '../adapters/embedded/open.js';
import { createImageDecoder } from '../adapters/images/sharp.js';
import { createWhatsAppProvider } from '../adapters/whatsapp/client.js';
import { createWhatsAppMedia } from '../adapters/whatsapp/media.js';
import { createWhatsAppUploads } from '../adapters/whatsapp/uploads.js';
import type { App } from '../application/app.js';
import { createCodec } from '../application/codec.js';
import { createExecutor } from '../application/execute.js';
import { createDeliveryNews, type DeliveryNews } from '../application/console/delivery-news.js';
import { createMediaLinks } from '../application/media/links.js';
import { createLastOrdinals } from '../application/conversation/last-ordinals.js';
import { createPersonOwners } from '../application/people/person-owners.js';
import { createKeyedSemaphore } from '../application/store/keyed-semaphore.js';
import { withRecentStreams } from '../application/recent-streams.js';
import { relay } from '../application/relay.js';
import { createRegistry } from '../domain/catalog.js';
import type { Clock } from '../ports/clock.js';
import type { EventStore } from '../ports/event-store.js';
import type { Logger } from '../ports/logger.js';
import type { ProviderMedia } from '../ports/provider-media.js';
import type { ProviderUploads } from '../ports/provider-uploads.js';
import type { CollectionSpec, ReadModels } from '../ports/read-models.js';
import type { SecretBox } from '../ports/secret-box.js';
import type { Tracing } from '../ports/tracing.js';
import type { Upgrade } from '../read-models/deployment.js';
import { imageUploads } from '../read-models/image-uploads.js';
import { parkedMessages } from '../read-models/parked-messages.js';
import type { Failure } from '../read-models/projection-states.js';
import { createBarrier } from '../projections/barrier.js';
import { projections } from '../projections/catalog.js';
import { collections } from '../projections/follow.js';
import { createProgress } from '../projections/progress.js';
import { createShownHere } from '../projections/shown-here.js';
import { createReplay } from '../projections/replay.js';
import { createSkips } from '../projections/skips.js';
import { createWaits } from '../projections/waits.js';
import { relayCheckpoints } from '../workers/relay/worker.js';
import { restoreCollections } from '../workers/restore/prepare.js';
import { earlierOrders } from '../workers/store/earlier-orders.js';
import { webhookCollections } from '../workers/webhooks/documents.js';
import type { Config } from './config.js';
import { demoWasBrokenOff } from './demo/demo.js';
import { withHeldLeases } from './held-leases.js';
import { watchClock, type ClockWatch } from './clock-watch.js';
import { watchParts, type Health } from './health.js';
import { sameMasterKey } from './master-key-check.js';
import { createOwnWrites } from './own-writes.js';
import { startProjectionsRole } from './projections-role.js';
import { operatorCollections } from '../projections/operator-collections.js';
import { startProjectionGuard, type ProjectionKeeper } from '../projections/guard.js';
import type { DerivedSecrets } from './secrets.js';
import { refuseUnmarkedRestore } from './backup/unmarked-restore.js';
import { noteUpgrade } from './upgrade.js';
import { packageVersion } from './version.js';
import { whileStarting } from './starting.js';
import { openEmbeddedStores } from './stores/embedded.js';
import type { openRealStack as OpenRealStackFunction } from './stores/real.js';
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

export interface CoreDeps {
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
  /**
   * Opens EventStoreDB, MongoDB and Kafka. Left out: loaded when needed, since loading the drivers would double the
   * start time of other deployments.
   */
  readonly openRealStack?: typeof OpenRealStackFunction;
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
  const opened = realStack
    ? {
        stores: await (deps.openRealStack ?? (await import('./stores/real.js')).openRealStack)({
          settings: realStack,
          s3: config.s3,
          dataDir: config.dataDir,
          secretBox: secrets,
          clock,
          logger,
        }),
        embedded: null,
      }
    : await openOnDisk(config, secrets, clock, logger);
  const { stores, embedded } = opened;
  const { topics, dueTimes, personalKeys: keys } = stores;
  const deliveryNews = createDeliveryNews();
  const readModels = deliveryNews.around(stores.readModels);
  if (shared && stores.serverTime) await shared.follow(stores.serverTime);
  const holding = withHeldLeases(stores.leases);
  const { leases } = holding;

  const progress = createProgress({ readModels, clock });
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
  const provider = createWhatsAppProvider({
    baseUrl: deps.providerUrl,
    graphVersion: config.whatsappGraphVersion,
    timeouts: { totalMs: config.providerTimeoutMs },
    clock,
    logger,
  });
  const providerMedia = createWhatsAppMedia({
    baseUrl: deps.providerUrl,
    graphVersion: config.whatsappGraphVersion,
    timeouts: { describeMs: config.providerTimeoutMs },
    clock,
  });
  const providerUploads = createWhatsAppUploads({
    baseUrl: deps.providerUrl,
    graphVersion: config.whatsappGraphVersion,
    clock,
  });
  const skips = createSkips({ readModels, clock });
  const waits = createWaits({ readModels, clock, logger });
  const sender = createHttpSender({ allowPrivate: config.allowPrivate, clock });
  const imageFetcher = createImageFetcher({ allowPrivate: config.allowPrivate, clock });
  const publicUrl = (): string =>
    config.publicUrl ?? deps.ownUrl?.() ?? `http://${config.host}:${config.port}`;
  const tracing = await openTracing(config, logger);
  const shownHere = createShownHere(clock);
  const barrier = createBarrier(projections, {
    shownHere,
    store: stores.eventStore,
    readModels,
    clock,
    onBehind: waits.behind,
    onPassed: waits.passed,
    ...(embedded
      ? { inEveryWrite: embedded.inEveryWrite }
      : { follow: (options) => stores.eventStore.subscribe(options) }),
  });
  const app: App = {
    store,
    readModels,
    topics,
    dueTimes,
    leases,
    blobs: stores.blobs,
    mediaLinks: createMediaLinks(deps.secrets.mediaSecret, publicUrl),
    images: {
      fetcher: imageFetcher,
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
    lastOrdinals: createLastOrdinals(),
    lately: shownHere.document,
    stateHere: shownHere.state,
    ...createReplay(projections, { store, codec, skips }),
    readModelsReached: embedded ? () => Promise.resolve(true) : progress.reached,
    barrier,
    provider,
    sender,
    secrets,
    clock,
    newId,
    logger,
    ...(tracing ? { tracing } : {}),
    settings: {
      pacingWindowMs: config.pacingWindowMs,
      reconcileWindowMs: config.reconcileWindowMs,
      providerTimeoutMs: config.providerTimeoutMs,
      channelRate: config.channelRate,
      paceRecipients: config.paceRecipients,
      deliveryLogDays: config.deliveryLogDays,
      whatsappAppSecret: config.whatsappAppSecret ?? deps.secrets.whatsappAppSecret,
      whatsappVerifyToken: config.whatsappVerifyToken ?? deps.secrets.whatsappVerifyToken,
    },
    indexSecret: deps.secrets.indexSecret,
  };

  // The work is safe to repeat: a server that has just started may be too busy at first.
  const patiently = (work: () => Promise<unknown>): Promise<unknown> =>
    whileStarting(clock, realStack?.connectTimeoutMs ?? 0, work);
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
  let keeper: ProjectionKeeper | null = null;
  if (embedded) {
    // Prevents new data from being sealed under a key that can't open the old data.
    const from = config.masterKey === null ? 'master.key in DATA_DIR' : 'RECADO_MASTER_KEY';
    await sameMasterKey(readModels, secrets, from).catch(async (error: unknown) => {
      await stores.close();
      throw error;
    });
    const worker = lowPriority(app, embedded, deliveryNews);
    keeper = await startProjectionGuard(worker, projections, {
      embedded,
      skips,
      // Imported events were already acted on in the system they come from, so they are not relayed.
      relay: config.historyImport ? null : relay,
    });
  } else {
    await patiently(() => define(readModels, [...collections(projections), relayCheckpoints]));
    await patiently(() => refuseUnmarkedRestore(stores.eventStore, readModels)).catch(
      async (error: unknown) => {
        shared?.stop();
        await stores.close();
        throw error;
      },
    );
    await patiently(() => sameMasterKey(readModels, secrets));
    if (config.roles.has('projections') && stores.sweepIntents)
      keeper = startProjectionsRole(app, projections, {
        skips,
        onProgress: progress.note,
        shownHere,
        relays: !config.historyImport,
        sweepIntents: stores.sweepIntents,
      });
  }
  const upgrade = (await patiently(() =>
    noteUpgrade(app, packageVersion(), embedded && embedded.schema.from > 0 ? embedded.schema : null),
  )) as Upgrade | null;
  const health = watchParts(stores.parts, { clock, logger });
  const clockWatch = watchClock({ clock, logger }, embedded?.latestEventAt ?? 0);
  return {
    app,
    providerMedia,
    providerUploads,
    patientApp: embedded ? app : waitingForReadModels(app),
    workerApp: embedded ? lowPriority(app, embedded, deliveryNews) : app,
    stores,
    deliveryNews,
    embedded,
    projectionErrors: () => keeper?.errors() ?? new Map(),
    readModelWaits: waits.current,
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
      await Promise.all([
        provider.close(),
        providerMedia.close(),
        providerUploads.close(),
        sender.close(),
        imageFetcher.close(),
        tracing?.close(),
      ]);
      await stores.close();
    },
  };
}

/** Loads the tracing libraries only when a collector is configured. */
async function openTracing(config: Config, logger: Logger): Promise<Tracing | null> {
  if (config.otlpEndpoint === null) return null;
  const { createTracing } = await import('../adapters/tracing/otlp.js');
  return createTracing({
    endpoint: config.otlpEndpoint,
    ratio: config.traceRatio,
    serviceName: config.otlpServiceName,
    version: packageVersion(),
    roles: [...config.roles].join(),
    logger,
  });
}

const define = (readModels: ReadModels, specs: readonly CollectionSpec[]): Promise<unknown> =>
  Promise.all(specs.map((spec) => readModels.define(spec)));

const PATIENCE_MS = 10_000;

function waitingForReadModels(app: App): App {
  const store: EventStore = {
    ...app.store,
    async append(stream, expected, records) {
      const result = await app.store.append(stream, expected, records);
      await app.readModelsReached(result.position, PATIENCE_MS);
      return result;
    },
  };
  return { ...app, store, executor: app.executor.over(store) };
}

function lowPriority(app: App, { background }: Embedded, news: DeliveryNews): App {
  const { eventStore: store, readModels } = background;
  return { ...app, store, readModels: news.around(readModels), executor: app.executor.over(store) };
}

async function openOnDisk(config: Config, secretBox: SecretBox, clock: Clock, logger: Logger) {
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
