/** The one place that knows how everything is wired together. */
import { createImageFetcher } from '../adapters/http/image-fetcher.js';
import { createHttpSender } from '../adapters/http/safe-sender.js';
import { createSharedClock } from '../adapters/clock/shared.js';
import { newId, systemClock } from '../adapters/clock/system.js';
import { createSecretBox } from '../adapters/crypto/secret-box.js';
import type { Embedded } from '../adapters/embedded/open.js';
import { createImageDecoder } from '../adapters/images/sharp.js';
import { createTranscriber } from '../adapters/transcription/openai.js';
import { createWhatsAppProvider } from '../adapters/whatsapp/client.js';
import { createWhatsAppMedia } from '../adapters/whatsapp/media.js';
import { directCommand, type App } from '../application/app.js';
import { createCodec } from '../application/codec.js';
import { createExecutor } from '../application/execute.js';
import { createMediaLinks } from '../application/media/links.js';
import { createTurns } from '../application/store/turns.js';
import { integrationAggregate } from '../domain/integration/decide.js';
import { withRecentStreams } from '../application/recent-streams.js';
import { relay } from '../application/relay.js';
import { createRegistry } from '../domain/catalog.js';
import type { Clock } from '../ports/clock.js';
import type { EventStore } from '../ports/event-store.js';
import type { Logger } from '../ports/logger.js';
import type { ProviderMedia } from '../ports/provider-media.js';
import type { CollectionSpec, ReadModels } from '../ports/read-models.js';
import type { SecretBox } from '../ports/secret-box.js';
import type { Tracing } from '../ports/tracing.js';
import type { Upgrade } from '../read-models/deployment.js';
import { parkedMessages } from '../read-models/parked-messages.js';
import type { Failure } from '../read-models/projection-states.js';
import { createBarrier } from '../projections/barrier.js';
import { projections } from '../projections/catalog.js';
import { collections } from '../projections/follow.js';
import { createProgress } from '../projections/progress.js';
import { createReplay } from '../projections/replay.js';
import { createSkips } from '../projections/skips.js';
import { createWaits } from '../projections/waits.js';
import { startChannelWorkers } from '../workers/channels/start.js';
import { SETTLING_MS, startErasures } from '../workers/erasure/worker.js';
import { createInboundBarrier } from '../workers/inbound/barrier.js';
import { startInboundWorker } from '../workers/inbound/worker.js';
import { startIntakeRetention } from '../workers/inbound/retention.js';
import { longestRepublishMs } from '../workers/relay/intents.js';
import { repeatedDays, startRetention } from '../workers/retention/sweep.js';
import { whileHolding } from '../workers/kernel/exclusive.js';
import { startMediaWorker } from '../workers/media/worker.js';
import { startNotificationWorker } from '../workers/notifications/worker.js';
import { relayCheckpoints, untilRelayed } from '../workers/relay/worker.js';
import { prepareRestore, restoreCollections } from '../workers/restore/prepare.js';
import { holdingBack } from '../workers/restore/rows.js';
import { startFlowWorker } from '../workers/flows/worker.js';
import { startImageSweeper } from '../workers/store/image-sweeper.js';
import { earlierOrders } from '../workers/store/earlier-orders.js';
import { startOrderWorker } from '../workers/store/orders.js';
import { startSendDispatcher } from '../workers/sending/dispatcher.js';
import { startSendIntake } from '../workers/sending/intake.js';
import { startReconciler } from '../workers/sending/reconcile.js';
import { startSweeper } from '../workers/sending/sweeper.js';
import { webhookCollections } from '../workers/webhooks/documents.js';
import { startWebhookDispatcher, type WebhookDispatcher } from '../workers/webhooks/dispatcher.js';
import { startCatchUps } from '../workers/webhooks/catch-up.js';
import { enqueueDeliveries } from '../workers/webhooks/enqueue.js';
import type { Config } from './config.js';
import { demoWasBrokenOff } from './demo/demo.js';
import { createEndpointDirectory } from './endpoint-directory.js';
import type { Metrics } from './metrics.js';
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
   * The same, with every write waited for until the read models show it. For what writes and then reads in one go and
   * is in no hurry: provisioning.
   */
  readonly patientApp: App;
  /** The same, for what acts on its own: where one process does everything, requests go before it. */
  readonly workerApp: App;
  readonly providerMedia: ProviderMedia;
  readonly stores: Stores;
  /** Only on the embedded store. */
  readonly embedded: Embedded | null;
  /** Last error by projection name, as far as this process runs projections; empty when all is well. */
  readonly projectionErrors: () => ReadonlyMap<string, Failure>;
  /** Read models that work of this process waits for: since when, by name. */
  readonly readModelWaits: () => ReadonlyMap<string, number>;
  /** Runs a request's work, and answers once what it wrote can be read. */
  readonly visible: <T>(work: () => Promise<T>) => Promise<T>;
  readonly health: Health;
  readonly clockWatch: ClockWatch;
  /** The last change of release that a start of this deployment noted; null when there was none. */
  readonly upgrade: Upgrade | null;
  /** Names of the leases that this process holds. */
  readonly heldLeases: () => readonly string[];
  close(): Promise<void>;
}

export interface CoreDeps {
  readonly masterKey: Uint8Array;
  readonly secrets: DerivedSecrets;
  readonly providerUrl: string;
  /** Address under which others reach the API, where PUBLIC_URL does not say. Asked when it is needed: the port may be known late. */
  readonly ownUrl?: () => string;
  readonly logger: Logger;
  /** Of this machine; tests bring one that they drive. Default: the system's. */
  readonly clock?: Clock;
  /**
   * Opens EventStoreDB, MongoDB and Kafka. Left out: loaded when needed, since their drivers would double the start of
   * everybody else.
   */
  readonly openRealStack?: typeof OpenRealStackFunction;
}

/**
 * Stores and use-cases; nothing that acts on its own runs yet. On the embedded store read models are in step when this
 * resolves.
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
  const { readModels, topics, dueTimes, personalKeys: keys } = stores;
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
  const skips = createSkips({ readModels, clock });
  const waits = createWaits({ readModels, clock, logger });
  const sender = createHttpSender({ allowPrivate: config.allowPrivate, clock });
  const imageFetcher = createImageFetcher({ allowPrivate: config.allowPrivate, clock });
  const publicUrl = (): string =>
    config.publicUrl ?? deps.ownUrl?.() ?? `http://${config.host}:${config.port}`;
  const tracing = await openTracing(config, logger);
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
      turns: createTurns({ total: 12, perKey: 6 }),
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
    ...createReplay(projections, { store, codec, skips }),
    readModelsReached: embedded ? () => Promise.resolve(true) : progress.reached,
    barrier: createBarrier(projections, {
      store: stores.eventStore,
      readModels,
      clock,
      onBehind: waits.behind,
      onPassed: waits.passed,
      ...(embedded ? { inEveryWrite: embedded.inEveryWrite } : {}),
    }),
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
      whatsappAppSecret: config.whatsappAppSecret ?? deps.secrets.whatsappAppSecret,
      whatsappVerifyToken: config.whatsappVerifyToken ?? deps.secrets.whatsappVerifyToken,
    },
    indexSecret: deps.secrets.indexSecret,
  };

  // Safe to repeat; a server that has just come up may be too busy for it at first.
  const patiently = (work: () => Promise<unknown>): Promise<unknown> =>
    whileStarting(clock, realStack?.connectTimeoutMs ?? 0, work);
  await patiently(() =>
    define(readModels, [
      ...webhookCollections,
      parkedMessages,
      ...restoreCollections,
      earlierOrders,
      ...operatorCollections,
    ]),
  );
  let keeper: ProjectionKeeper | null = null;
  if (embedded) {
    // What is new is not sealed under a key that what is old does not open with.
    const from = config.masterKey === null ? 'master.key in DATA_DIR' : 'RECADO_MASTER_KEY';
    await sameMasterKey(readModels, secrets, from).catch(async (error: unknown) => {
      await stores.close();
      throw error;
    });
    const worker = behindRequests(app, embedded);
    keeper = await startProjectionGuard(worker, projections, {
      embedded,
      skips,
      // What is imported has been acted on where it came from.
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
    patientApp: embedded ? app : patient(app),
    workerApp: embedded ? behindRequests(app, embedded) : app,
    stores,
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
      await keeper?.stop();
      await Promise.all([
        provider.close(),
        providerMedia.close(),
        sender.close(),
        imageFetcher.close(),
        tracing?.close(),
      ]);
      await stores.close();
    },
  };
}

/** Its libraries are loaded only where there is somebody to send to. */
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

function patient(app: App): App {
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

function behindRequests(app: App, { background }: Embedded): App {
  const { eventStore: store, readModels } = background;
  return { ...app, store, readModels, executor: app.executor.over(store) };
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

export interface Workers {
  readonly deliveries: WebhookDispatcher;
  /** How far behind each worker is, in messages. */
  lags(): Promise<Readonly<Record<string, number>>>;
  stop(): Promise<void>;
}

/** Resolves when nothing that a restore holds can be acted on any more. */
async function behindRestore({ workerApp: app }: Core, config: Config): Promise<App> {
  const patienceMs = config.realStack?.connectTimeoutMs ?? 0;
  const horizon = await whileStarting(app.clock, patienceMs, () => prepareRestore(app));
  if (horizon === null || horizon.nothingRanSince) return app;
  return { ...app, topics: holdingBack(app.topics, app, horizon) };
}

/** Everything that acts on its own: sending, reading what the provider tells, telling integrators. */
export async function startWorkers(core: Core, config: Config, metrics: Metrics): Promise<Workers> {
  const app = await behindRestore(core, config);
  const { dueTimes, readModels, clock, logger } = app;
  const endpoints = createEndpointDirectory(app);
  const deliveries = startWebhookDispatcher({
    dueTimes,
    readModels,
    sender: app.sender,
    clock,
    endpoints,
    oneTransaction: core.embedded !== null,
    logger,
    ...(app.tracing ? { tracing: app.tracing } : {}),
    onGone: async ({ integration_uuid, endpoint_uuid, company_uuid }) => {
      await app.executor.execute(
        integrationAggregate,
        integration_uuid,
        { type: 'DisableWebhookEndpoint', endpointUuid: endpoint_uuid, reason: 'gone' },
        directCommand(app, { company: company_uuid, actor: 'worker:webhooks' }),
      );
    },
    onAttempt: metrics.webhookAttempt,
  });
  const catchUps = startCatchUps(app, endpoints);
  const notifications = startNotificationWorker({
    app,
    enqueue: (orders) =>
      enqueueDeliveries({ dueTimes, readModels, clock, oneTransaction: core.embedded !== null }, orders),
    catchUp: (endpoint) => catchUps.add(endpoint),
    onOutcome: metrics.workerOutcome,
  });
  const inbound = startInboundWorker(app, {
    onOutcome: metrics.workerOutcome,
    onForeign: metrics.foreignStatuses,
  });
  const transcriber = config.transcription && createTranscriber(config.transcription, clock);
  const media = startMediaWorker({
    app,
    provider: core.providerMedia,
    transcriber,
    onOutcome: metrics.workerOutcome,
  });
  const orders = startOrderWorker(app, metrics.workerOutcome);
  const relayed = (prefixes: readonly string[], stopping: () => boolean): Promise<boolean> =>
    // In one file what is written and what is published is one commit.
    core.embedded ? Promise.resolve(true) : untilRelayed(app, prefixes, stopping);
  const inboundBarrier = createInboundBarrier(app, inbound, relayed);
  const flows = startFlowWorker(app, metrics.workerOutcome, inboundBarrier);
  const storeImages = startImageSweeper(app, metrics.workerOutcome);
  metrics.onScrape('media_waiting', 'Files to be fetched, and audio messages to be transcribed', () =>
    media.waiting(),
  );
  metrics.onScrape('flows_waiting', 'Flow executions that wait for a time, and calls to be made', () =>
    flows.waiting(),
  );
  const dispatcher = await startSendDispatcher(app, { onStep: metrics.sendStep });
  const intake = startSendIntake(app, dispatcher);
  const reconciler = startReconciler(app, inboundBarrier);
  const sweeper = whileHolding(app, 'sweeper', () => startSweeper(app));
  const retention = whileHolding(app, 'retention', () => startIntakeRetention(app, config.rawWebhookDays));
  const log = whileHolding(app, 'retention-log', () =>
    startRetention(app, {
      deliveryLog: config.deliveryLogDays,
      parkedMessages: config.parkedMessageDays,
      removed: repeatedDays(longestRepublishMs(config.realStack?.overdueMs ?? 0)),
    }),
  );
  // Other processes believe their keys for a while.
  const settlingMs = SETTLING_MS + 2 * (core.stores.keysFreshMs ?? 0);
  const erasures = whileHolding(app, 'erasures', () => startErasures(app, settlingMs));
  const channels = startChannelWorkers(app);
  // All in one turn of the event loop: none begins anything while another one still ends. What a source has not passed on
  // is durable, and the next process continues with it.
  const stop = async (): Promise<void> => {
    await Promise.all([
      // Before the worker whose work it waits for: the end of that is not the end of its work.
      reconciler.stop(),
      dispatcher.stop(),
      deliveries.stop(),
      catchUps.stop(),
      intake.stop(),
      inbound.stop(),
      notifications.stop(),
      media.stop().then(() => transcriber?.close()),
      orders.stop(),
      flows.stop(),
      storeImages.stop(),
      sweeper.stop(),
      retention.stop(),
      log.stop(),
      erasures.stop(),
      channels.stop(),
    ]);
  };
  let stopped: Promise<void> | undefined;
  return {
    deliveries,
    async lags() {
      const [sending, reading, telling, sorting, ordering, sweeping, flowing] = await Promise.all([
        intake.lag(),
        inbound.lag(),
        notifications.lag(),
        media.lag(),
        orders.lag(),
        storeImages.lag(),
        flows.lag(),
      ]);
      return {
        sending,
        inbound: reading,
        notifications: telling,
        media: sorting,
        orders: ordering,
        store_images: sweeping,
        flows: flowing,
      };
    },
    stop: () => (stopped ??= stop()),
  };
}
