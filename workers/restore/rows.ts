/** Rows and messages that came with the copy: their effects may have happened already. */
import { SYSTEM_COMPANY, type App } from '../../application/app.js';
import { retryQueue, retryRow } from '../../application/parked-messages.js';
import {
  ACTING_TOPICS,
  messageName,
  ORDERS,
  SENDS,
  type EventPointer,
  type WebhookPointer,
} from '../../application/relay.js';
import { hold, holdBack, reactionId, type FoundWork } from '../../application/restore/held-work.js';
import type { Horizon } from '../../application/restore/horizon.js';
import { endJob, WEBHOOK_JOBS } from '../../application/webhooks/jobs.js';
import { orderStream } from '../../domain/streams.js';
import type { ClaimedEntry, DueEntry } from '../../ports/due-times.js';
import type { TopicMessage, Topics } from '../../ports/topics.js';
import { deliveries } from '../../read-models/deliveries.js';
import { INBOUND } from '../inbound/apply-one.js';
import { INBOUND_UPDATES } from '../inbound/hand-on.js';
import { claimPages } from '../lanes/claim-page.js';
import { CATCH_UPS } from '../webhooks/catch-up.js';
import { DELIVERY_QUEUE, nextVersion } from '../webhooks/documents.js';

const ACTING_GROUPS = ['inbound', 'notifications', 'orders', 'flows'];

const LEASE_MS = 60_000;
const PAGE = 100;

/** Holds WhatsApp webhooks that were to be read, and retries that were due. */
export async function holdRetries(
  app: Pick<App, 'clock' | 'dueTimes' | 'readModels'>,
  horizon: Horizon,
): Promise<void> {
  for await (const rows of dueRows(app, INBOUND_UPDATES, horizon)) {
    // When released, they are read as retries.
    const held = rows.map(({ id, dueAt, payload }) =>
      retryRow(INBOUND, id, payload['value'] as WebhookPointer, dueAt),
    );
    await hold(
      app,
      horizon,
      held.map((row) => reactionOf(INBOUND, row)),
    );
    await app.dueTimes.cancel(
      INBOUND_UPDATES,
      rows.map(({ id }) => id),
    );
  }
  for (const group of ACTING_GROUPS) {
    for await (const rows of dueRows(app, retryQueue(group), horizon)) {
      await hold(
        app,
        horizon,
        rows.map((row) => reactionOf(group, row)),
      );
    }
  }
}

/** Holds webhook deliveries that were due. They are marked as failed meanwhile, so no worker sends them. */
export async function holdDeliveries(
  app: Pick<App, 'clock' | 'dueTimes' | 'readModels'>,
  horizon: Horizon,
): Promise<void> {
  for await (const rows of dueRows(app, DELIVERY_QUEUE, horizon)) {
    const found = await app.readModels.getMany(
      deliveries.name,
      rows.map(({ id }) => id),
    );
    const pending = found.filter(({ doc }) => doc.status === 'pending');
    await app.readModels.write(
      deliveries.name,
      pending.map(({ id, doc, version }) => ({
        id,
        doc: { ...doc, status: 'failed', next_attempt_at: null, last_error: HELD_DELIVERY },
        version: nextVersion(version),
      })),
    );
    // A delivery from an interrupted run of this function is marked as failed already.
    const open = new Map(
      found
        .filter(({ doc }) => doc.status === 'pending' || doc.last_error === HELD_DELIVERY)
        .map(({ id, doc }) => [id, doc]),
    );
    await hold(
      app,
      horizon,
      rows.flatMap((row) => {
        const doc = open.get(row.id);
        if (doc === undefined) return [];
        const about = `${doc.event_type} to endpoint ${doc.endpoint_uuid}`;
        return [
          { id: row.id, kind: 'delivery', company_uuid: doc.company_uuid, about, row: bare(row) } as const,
        ];
      }),
    );
    // Deliveries that had already ended: only their rows were left.
    await app.dueTimes.cancel(
      DELIVERY_QUEUE,
      rows.map(({ id }) => id),
    );
  }
}

/**
 * Missed deliveries of an endpoint stay cancelled, because the endpoint may have caught up before. An operator who
 * enables the endpoint again has them delivered.
 */
export async function endCatchUps(app: Pick<App, 'clock' | 'dueTimes'>, horizon: Horizon): Promise<void> {
  for await (const rows of dueRows(app, CATCH_UPS, horizon)) {
    await app.dueTimes.cancel(
      CATCH_UPS,
      rows.map(({ id }) => id),
    );
  }
}

/** Replays and redeliveries that were running end: what they had sent since the backup is not known. */
export async function endWebhookJobs(
  app: Pick<App, 'clock' | 'dueTimes' | 'readModels'>,
  horizon: Horizon,
): Promise<void> {
  for await (const rows of dueRows(app, WEBHOOK_JOBS, horizon)) {
    for (const { id } of rows) await endJob(app, id, { status: 'failed', reason: 'restored' });
    await app.dueTimes.cancel(
      WEBHOOK_JOBS,
      rows.map(({ id }) => id),
    );
  }
}

export const HELD_DELIVERY = 'held: the system was restored, and this may have been delivered before';

/** Due rows page by page. The caller removes each page from the queue before it takes the next one. */
async function* dueRows(
  app: Pick<App, 'dueTimes' | 'clock'>,
  queue: string,
  { at }: Horizon,
): AsyncGenerator<readonly ClaimedEntry[]> {
  for (const { lane } of await app.dueTimes.lanes(queue, at))
    yield* claimPages(app, { queue, lane, limit: PAGE, leaseMs: LEASE_MS, dueBy: at });
}

const bare = ({ queue, id, lane, dueAt, payload }: DueEntry): DueEntry => ({
  queue,
  id,
  lane,
  dueAt,
  payload,
});

function reactionOf(group: string, row: DueEntry): FoundWork {
  const value = row.payload['value'] as Partial<EventPointer>;
  const { company = SYSTEM_COMPANY, stream = '' } = value;
  return {
    id: reactionId(group, messageName(value) ?? row.id),
    kind: 'reaction',
    company_uuid: company,
    about: `${group}: ${stream}`,
    row: bare(row),
  };
}

/**
 * Topics that hold back messages about events before the restore. Sends and orders were already found in their streams;
 * files and pictures may safely be processed twice.
 */
export function holdingBack(topics: Topics, app: Pick<App, 'readModels'>, horizon: Horizon): Topics {
  const isFound = (topic: string, { value }: TopicMessage): boolean =>
    topic === SENDS || (topic === ORDERS && orderStream.match(String(value['stream'])) !== undefined);
  const isNew = ({ value: { position } }: TopicMessage): boolean =>
    typeof position === 'string' && position > horizon.position;
  return {
    publish: (messages) => topics.publish(messages),
    consume(options) {
      const { topic, group } = options;
      if (!ACTING_TOPICS.has(topic)) return topics.consume(options);
      return topics.consume({
        ...options,
        async handle(batch, open) {
          const fresh = batch.filter(isNew);
          const old = batch.filter((message) => !isNew(message) && !isFound(topic, message));
          if (old.length > 0) {
            const rows = old.map(({ offset, value }) => retryRow(group, offset, value, horizon.at));
            const held = rows.map((row) => reactionOf(group, row));
            await holdBack(app.readModels, horizon, held);
          }
          if (fresh.length > 0) await options.handle(fresh, open);
        },
      });
    },
  };
}
