/**
 * All background work: the list of reactors, the parts that they pass work to, and the parts that clean up after them.
 * Reactors get what they need from each other here; no other module knows two of them.
 */
import { directCommand, type App } from '../application/app.js';
import type { routes } from '../application/relay.js';
import { integrationAggregate } from '../domain/integration/decide.js';
import type { ProviderMedia } from '../ports/provider-media.js';
import type { Transcriber } from '../ports/transcriber.js';
import { startChannelWorkers } from './channels/start.js';
import { createEnvelopeBook } from './event-feed/book.js';
import { startEventFeed } from './event-feed/follower.js';
import { SETTLING_MS, startErasures } from './erasure/worker.js';
import { flowReactor, type FlowNeeds } from './flows/worker.js';
import { createInboundBarrier } from './inbound/barrier.js';
import { startIntakeRetention } from './inbound/retention.js';
import { inboundReactor, type InboundNeeds } from './inbound/worker.js';
import { whileHolding } from './kernel/exclusive.js';
import { startReactor, type OnOutcome, type Reactor, type RunningReactor } from './kernel/reactor.js';
import { mediaReactor, type MediaNeeds } from './media/worker.js';
import { notificationReactor, type NotificationNeeds } from './notifications/worker.js';
import { longestRepublishMs } from './relay/lost-message-sweeper.js';
import { untilRelayed } from './relay/worker.js';
import { repeatedDays, startRetention } from './retention/sweep.js';
import { startSendDispatcher, type SendDispatcherOptions } from './sending/dispatcher.js';
import { sendReactor, type Backlog } from './sending/send-scheduler.js';
import { startReconciler } from './sending/reconcile.js';
import { startSweeper } from './sending/sweeper.js';
import { pictureReactor } from './store/image-sweeper.js';
import { orderReactor } from './store/orders.js';
import { startWebhookJobs } from './webhook-jobs/worker.js';
import { startCatchUps } from './webhooks/catch-up.js';
import { startWebhookDispatcher, type WebhookDispatcher } from './webhooks/dispatcher.js';
import { createEndpointDirectory } from './webhooks/endpoint-directory.js';
import { enqueueDeliveries } from './webhooks/enqueue.js';
import { createMadeDeliveries } from './webhooks/made-deliveries.js';
import { createHealthKeeper } from './webhooks/health.js';
import type { AttemptNotice } from './webhooks/options.js';

/** Where each batch of the events feed costs requests to a server. */
const FEED_APART_MS = 200;

type Needs = { readonly backlog: Backlog } & InboundNeeds & NotificationNeeds & MediaNeeds & FlowNeeds;

/** One reactor for each route. */
export const reactors = {
  sends: sendReactor,
  intake: inboundReactor,
  notifications: notificationReactor,
  media: mediaReactor,
  orders: orderReactor,
  storePictures: pictureReactor,
  flows: flowReactor,
} satisfies Record<keyof typeof routes, Reactor<Needs>>;

/** Callbacks that feed the metrics. */
export interface Notices {
  readonly onOutcome?: OnOutcome;
  readonly onStep?: NonNullable<SendDispatcherOptions['onStep']>;
  readonly onAttempt?: (notice: AttemptNotice) => void;
  readonly onForeign?: (count: number) => void;
}

export interface WorkersOptions {
  readonly providerMedia: ProviderMedia;
  /** Closed with the workers. Null: audio messages stay without a transcript. */
  readonly transcriber: Transcriber | null;
  /**
   * True when one process does everything, and one commit contains both the written events and the published messages.
   */
  readonly oneStore: boolean;
  /** Time for which other processes cache a key. */
  readonly keysFreshMs: number;
  /** Age after which an unhandled message is published again. */
  readonly overdueMs: number;
  readonly rawWebhookDays: number;
  readonly deliveryLogDays: number;
  readonly parkedMessageDays: number;
  readonly notices: Notices;
}

export interface Workers {
  readonly deliveries: WebhookDispatcher;
  readonly reactors: readonly RunningReactor[];
  /** Lag of each reactor, in messages. */
  lags(): Promise<Readonly<Record<string, number>>>;
  stop(): Promise<void>;
}

export async function startWorkers(app: App, options: WorkersOptions): Promise<Workers> {
  const { transcriber, oneStore, notices } = options;
  const { dueTimes, readModels, clock, logger } = app;
  const endpoints = createEndpointDirectory(app);
  const made = oneStore ? undefined : createMadeDeliveries(clock);
  const health = createHealthKeeper({ readModels, clock, logger });
  const deliveries = startWebhookDispatcher({
    dueTimes,
    readModels,
    sender: app.sender,
    clock,
    endpoints,
    ...(made ? { made } : {}),
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
    onOutcome: (endpoint, outcome) => health.note(endpoint, outcome),
    ...(notices.onAttempt ? { onAttempt: notices.onAttempt } : {}),
  });
  const catchUps = startCatchUps(app, endpoints);
  const making = { dueTimes, readModels, clock, ...(made ? { made } : {}) };
  const webhookJobs = startWebhookJobs(app, {
    endpoints,
    enqueue: (orders) => enqueueDeliveries(making, orders),
  });
  const dispatcher = await startSendDispatcher(app, {
    shared: !oneStore,
    ...(notices.onStep ? { onStep: notices.onStep } : {}),
  });

  const { intake, ...others } = reactors;
  const reading = startReactor(app, intake, notices, notices.onOutcome);
  const inbound = createInboundBarrier(
    app,
    reading,
    oneStore ? () => Promise.resolve(true) : (prefixes, stopping) => untilRelayed(app, prefixes, stopping),
  );
  const keepEnvelope = createEnvelopeBook(oneStore);
  const needs: Needs = {
    backlog: dispatcher,
    keepEnvelope,
    enqueue: (orders, open) => enqueueDeliveries(making, orders, open),
    catchUp: (endpoint) => catchUps.add(endpoint),
    providerMedia: options.providerMedia,
    transcriber,
    inbound,
  };
  const reacting = [
    reading,
    ...Object.values<Reactor<Needs>>(others).map((reactor) =>
      startReactor(app, reactor, needs, notices.onOutcome),
    ),
  ];

  const reconciler = startReconciler(app, inbound);
  const keepers = [
    startEventFeed(app, keepEnvelope, oneStore ? 0 : FEED_APART_MS),
    whileHolding(app, 'sweeper', () => startSweeper(app)),
    whileHolding(app, 'retention', () => startIntakeRetention(app, options.rawWebhookDays)),
    whileHolding(app, 'retention-log', () =>
      startRetention(app, {
        deliveryLog: options.deliveryLogDays,
        parkedMessages: options.parkedMessageDays,
        removed: repeatedDays(longestRepublishMs(options.overdueMs)),
      }),
    ),
    // Other processes cache keys for a while.
    whileHolding(app, 'erasures', () => startErasures(app, SETTLING_MS + 2 * options.keysFreshMs)),
    startChannelWorkers(app),
  ];

  // Stops all parts in the same event-loop tick, so that none starts work while another is still stopping. Anything
  // that a source has not passed on is durable, and the next process continues with it.
  async function stop(): Promise<void> {
    const waitingForSources = [reconciler];
    const workedOn = [...keepers, dispatcher, deliveries, catchUps, webhookJobs];
    const sources = reacting;
    // Who waits for a source stops before it: a source that has stopped is no longer read.
    const parts = [...waitingForSources, ...workedOn, ...sources];
    await Promise.all(parts.map((part) => part.stop()));
    await health.stop();
    await transcriber?.close();
  }
  let stopped: Promise<void> | undefined;
  return {
    deliveries,
    reactors: reacting,
    async lags() {
      const lags = reacting.map(async (reactor) => [reactor.name, await reactor.lag()] as const);
      return Object.fromEntries(await Promise.all(lags));
    },
    stop: () => (stopped ??= stop()),
  };
}
