/** Registers the metrics that are read at each scrape. */
import { freeBytes } from '../adapters/embedded/disk.js';
import { parseLane, SEND_QUEUE } from '../application/send/queue.js';
import type { App } from '../application/app.js';
import { failingEndpoints } from '../application/queries/webhook-health.js';
import { projections } from '../projections/catalog.js';
import { IN_STEP } from '../projections/in-step.js';
import { projectionLags } from '../projections/lag.js';
import { checkpointName } from '../projections/projection.js';
import type { Position } from '../ports/event-store.js';
import { eventGaps } from '../read-models/event-envelopes.js';
import { parkedMessages } from '../read-models/parked-messages.js';
import type { Backups } from './backup/backups.js';
import type { Workers } from '../workers/all.js';
import type { Core } from './compose.js';
import type { Config } from './config.js';
import type { Metrics } from './metrics.js';

/** Leases on channels: there is one per channel, so they are only counted. */
const CHANNEL = 'send:';
/** Each channel is a label; above this number only the worst are reported. */
const MOST_CHANNELS = 500;
/** More failing webhook endpoints than this are not counted. */
const MOST_ENDPOINTS = 100;

export interface Observed {
  readonly core: Core;
  readonly workers: Workers | null;
  readonly config: Pick<Config, 'roles' | 'dataDir'>;
  /** Null on EventStoreDB, MongoDB and Kafka. */
  readonly backups: Backups | null;
}

export function observe({ core, workers, config, backups }: Observed, metrics: Metrics): void {
  const { roles } = config;
  if (workers) {
    metrics.onScrape('worker_lag_messages', 'Messages each worker still has to handle', () => workers.lags());
    metrics.onScrape('channels_paced', 'Channels whose sends this process paces', async () => ({
      all: core.heldLeases().filter((name) => name.startsWith(CHANNEL)).length,
    }));
    metrics.onScrape(
      'channel_queue_age_seconds',
      'How long the oldest message of a channel that could go has been waiting',
      () => queueAges(core.app),
      'channel',
    );
    metrics.onScrapeRows(
      'topic_lag_messages',
      'Messages of each topic that a group of consumers has not handled',
      ['topic', 'group'],
      async () =>
        ((await core.stores.lags?.()) ?? core.embedded?.lags() ?? []).map(({ topic, group, lag }) => [
          { topic, group },
          lag,
        ]),
    );
    metrics.onScrape(
      'work_waits_seconds',
      'How long work has been waiting for a read model that is behind the history',
      async () => {
        const now = core.app.clock.now();
        return Object.fromEntries(
          [...core.readModelWaits()].map(([model, since]) => [model, Math.max(0, now - since) / 1000]),
        );
      },
      'read_model',
    );
    metrics.onScrape(
      'webhook_endpoint_health',
      'Webhook endpoints whose last attempt failed: how many, for how long at most, and the deliveries that wait for them',
      () => healthOfEndpoints(core.app),
    );
    metrics.onScrape(
      'event_feed_gaps',
      'Events that the events feeds wait for, because they could not be added',
      async () => ({ all: await core.app.readModels.count(eventGaps.name, 'oldest', [], 1_000) }),
      'feed',
    );
    metrics.onScrape(
      'parked_messages',
      'Work that was given up and waits for an operator',
      async () => ({ all: await core.app.readModels.count(parkedMessages.name, 'newest', []) }),
      'group',
    );
  }
  if (roles.has('projections')) {
    metrics.onScrape(
      'projection_lag_seconds',
      'Age of the oldest event that a projection has not applied',
      () => lagOfProjections(core),
      'projection',
    );
  }
  if (core.embedded || roles.has('projections')) {
    metrics.onScrape(
      'projection_failed',
      'Projections that an event stops, 1 each',
      async () => Object.fromEntries([...core.projectionErrors().keys()].map((name) => [name, 1])),
      'projection',
    );
  }
  if (core.embedded) return observeEmbedded(core.embedded, config.dataDir, backups, metrics);
  metrics.onScrape(
    'part_up',
    'Whether the servers that this process needs answer',
    async () =>
      Object.fromEntries(core.stores.parts.map(({ name }) => [name, core.health.isUp(name) ? 1 : 0])),
    'part',
  );
  metrics.onScrape('lease_held', 'Leases for work that one process does at a time', async () =>
    Object.fromEntries(
      core
        .heldLeases()
        .filter((name) => !name.startsWith(CHANNEL))
        .map((name) => [name, 1]),
    ),
  );
}

/**
 * The embedded store applies projections within the writes and has no shared checkpoint: a projection that is not
 * behind is at the head.
 */
function lagOfProjections({
  embedded,
  app,
  projectionErrors,
}: Core): Promise<Readonly<Record<string, number>>> {
  if (!embedded) return projectionLags(projections, new Set(projectionErrors().keys()), app);
  const behind = new Set(embedded.stats().behind);
  const late = projections.filter((projection) => behind.has(checkpointName(projection)));
  const checkpoint = (name: string): Promise<Position> =>
    name === IN_STEP ? app.store.head() : app.readModels.checkpoint(name);
  return projectionLags(projections, new Set(late.map(({ name }) => name)), {
    store: app.store,
    clock: app.clock,
    readModels: { ...app.readModels, checkpoint },
  });
}

export async function healthOfEndpoints(
  app: Pick<App, 'readModels' | 'clock'>,
): Promise<Readonly<Record<string, number>>> {
  const failing = await failingEndpoints(app, MOST_ENDPOINTS);
  const now = app.clock.now();
  const since = failing.map(({ health }) => now - Date.parse(health.failing_since ?? ''));
  return {
    failing: failing.length,
    failing_longest_seconds: Math.max(0, ...since) / 1000,
    waiting_deliveries: failing.reduce((sum, { waiting }) => sum + waiting.count, 0),
  };
}

/** Seconds by channel; 0 for a channel whose messages are all scheduled for later. */
async function queueAges(app: Pick<App, 'dueTimes' | 'clock'>): Promise<Readonly<Record<string, number>>> {
  const now = app.clock.now();
  const ages = new Map<string, number>();
  for (const { lane, nextDueAt } of await app.dueTimes.lanes(SEND_QUEUE, now)) {
    const { channelUuid } = parseLane(lane);
    const age = Math.max(0, now - nextDueAt) / 1000;
    if (ages.size < MOST_CHANNELS || ages.has(channelUuid)) {
      ages.set(channelUuid, Math.max(age, ages.get(channelUuid) ?? 0));
    }
  }
  return Object.fromEntries(ages);
}

function observeEmbedded(
  embedded: NonNullable<Core['embedded']>,
  dataDir: string,
  backups: Backups | null,
  metrics: Metrics,
): void {
  metrics.onScrape('store', 'State of the embedded store', async () => {
    const { walBytes, fileBytes, unusedBytes, commits, appendedEvents, behind, refusing } = embedded.stats();
    const diskFree = await freeBytes(dataDir);
    const backupAt = backups?.lastSuccess() ?? null;
    return {
      wal_bytes: walBytes,
      file_bytes: fileBytes,
      unused_bytes: unusedBytes,
      disk_free_bytes: diskFree,
      refusing: refusing === null ? 0 : 1,
      commits,
      appended_events: appendedEvents,
      projections_behind: behind.length,
      ...(backupAt === null ? {} : { last_backup_timestamp_seconds: Math.floor(backupAt / 1000) }),
    };
  });
}
