/** The one place that knows how everything is wired together. */
import { createHttpSender } from '../adapters/http/safe-sender.js';
import { newId, systemClock } from '../adapters/clock/system.js';
import { createSecretBox } from '../adapters/crypto/secret-box.js';
import { openEmbedded, type Embedded } from '../adapters/embedded/open.js';
import { createWhatsAppProvider } from '../adapters/whatsapp/client.js';
import { directCommand, type App } from '../application/app.js';
import { createCodec } from '../application/codec.js';
import { createExecutor } from '../application/execute.js';
import { integrationAggregate } from '../domain/integration/decide.js';
import { relay } from '../application/relay.js';
import { createRegistry } from '../domain/catalog.js';
import type { Logger } from '../ports/logger.js';
import { projections } from '../projections/catalog.js';
import { createReplay } from '../projections/replay.js';
import { catchUp, inlineForm } from '../projections/runner.js';
import { startInboundWorker } from '../workers/inbound/worker.js';
import { startIntakeRetention } from '../workers/inbound/retention.js';
import { parkedMessages } from '../workers/kernel/consumer.js';
import { startNotificationWorker } from '../workers/notifications/worker.js';
import { startSendDispatcher } from '../workers/sending/dispatcher.js';
import { startSendIntake } from '../workers/sending/intake.js';
import { startReconciler } from '../workers/sending/reconcile.js';
import { startSweeper } from '../workers/sending/sweeper.js';
import { webhookCollections } from '../workers/webhooks/documents.js';
import { startWebhookDispatcher, type WebhookDispatcher } from '../workers/webhooks/dispatcher.js';
import { catchUp as catchUpDeliveries, enqueueDeliveries } from '../workers/webhooks/enqueue.js';
import type { Config } from './config.js';
import { demoWasBrokenOff } from './demo.js';
import { createEndpointDirectory } from './endpoint-directory.js';
import type { Metrics } from './metrics.js';
import { startProjectionGuard, type ProjectionGuard } from './projection-guard.js';
import type { DerivedSecrets } from './secrets.js';

export interface Core {
  readonly app: App;
  readonly embedded: Embedded;
  readonly guard: ProjectionGuard;
  close(): Promise<void>;
}

/** Store, read models and use-cases; nothing runs by itself yet. Read models are in step when this resolves. */
export async function composeCore(
  config: Config,
  deps: {
    readonly masterKey: Uint8Array;
    readonly secrets: DerivedSecrets;
    readonly providerUrl: string;
    readonly logger: Logger;
  },
): Promise<Core> {
  const { logger } = deps;
  const clock = systemClock;
  const secrets = createSecretBox(deps.masterKey);
  const embedded = await openEmbedded({
    dataDir: config.dataDir,
    secretBox: secrets,
    discard: () => config.demo && demoWasBrokenOff(config.dataDir),
    logger,
    clock,
    onProjectionError: (projection, error, position) =>
      logger.error({ err: error, projection, position }, 'projection failed inside a write'),
  });
  const { eventStore: store, readModels, topics, dueTimes, personalKeys: keys } = embedded;
  const registry = createRegistry();
  const codec = createCodec(registry, keys);
  for (const collection of [...webhookCollections, parkedMessages]) await readModels.define(collection);
  for (const projection of projections) await catchUp(projection, { store, readModels, codec });
  await embedded.useInline({ projections: projections.map((p) => inlineForm(p, codec)), relay });

  const provider = createWhatsAppProvider({
    baseUrl: deps.providerUrl,
    graphVersion: config.whatsappGraphVersion,
    timeouts: { totalMs: config.providerTimeoutMs },
    logger,
  });
  const sender = createHttpSender({ allowPrivate: config.allowPrivate });
  const app: App = {
    store,
    readModels,
    topics,
    dueTimes,
    keys,
    codec,
    registry,
    executor: createExecutor({ store, codec, registry, clock, newId, onlyWriter: true }),
    ...createReplay(projections, { store, codec }),
    provider,
    sender,
    secrets,
    clock,
    newId,
    logger,
    settings: {
      pacingWindowMs: config.pacingWindowMs,
      reconcileWindowMs: config.reconcileWindowMs,
      channelRate: config.channelRate,
      paceRecipients: config.paceRecipients,
      whatsappAppSecret: config.whatsappAppSecret ?? deps.secrets.whatsappAppSecret,
      whatsappVerifyToken: config.whatsappVerifyToken ?? deps.secrets.whatsappVerifyToken,
    },
    indexSecret: deps.secrets.indexSecret,
  };
  const guard = startProjectionGuard(app, projections, () => embedded.stats().behind);
  return {
    app,
    embedded,
    guard,
    async close() {
      await guard.stop();
      await Promise.all([provider.close(), sender.close()]);
      await embedded.close();
    },
  };
}

export interface Workers {
  readonly deliveries: WebhookDispatcher;
  /** How far behind each worker is, in messages. */
  lags(): Promise<Readonly<Record<string, number>>>;
  stop(): Promise<void>;
}

/** Everything that acts on its own: sending, reading what the provider tells, telling integrators. */
export async function startWorkers(core: Core, config: Config, metrics: Metrics): Promise<Workers> {
  const { app } = core;
  const { dueTimes, readModels, clock, logger } = app;
  const deliveries = startWebhookDispatcher({
    dueTimes,
    readModels,
    sender: app.sender,
    clock,
    endpoints: createEndpointDirectory(app),
    oneTransaction: true,
    logger,
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
  const notifications = startNotificationWorker({
    app,
    enqueue: (orders) => enqueueDeliveries({ dueTimes, readModels, clock }, orders),
    catchUp: (endpointUuid) => catchUpDeliveries({ dueTimes, readModels, clock }, endpointUuid),
    onOutcome: metrics.workerOutcome,
  });
  const inbound = startInboundWorker(app, metrics.workerOutcome);
  const dispatcher = await startSendDispatcher(app, { onStep: metrics.sendStep });
  const intake = startSendIntake(app, dispatcher);
  const reconciler = startReconciler(app);
  const sweeper = startSweeper(app);
  const retention = startIntakeRetention(app, config.rawWebhookDays);
  return {
    deliveries,
    async lags() {
      const [sending, reading, telling] = await Promise.all([
        intake.lag(),
        inbound.lag(),
        notifications.lag(),
      ]);
      return { sending, inbound: reading, notifications: telling };
    },
    async stop() {
      // Sources first, so that what is under way can end.
      await Promise.all([
        intake.stop(),
        inbound.stop(),
        notifications.stop(),
        sweeper.stop(),
        retention.stop(),
      ]);
      await Promise.all([dispatcher.stop(), reconciler.stop(), deliveries.stop()]);
    },
  };
}
