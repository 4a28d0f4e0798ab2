/** The envelopes that a batch of the history needs: which integrations keep which of its events. */
import type { App } from '../../application/app.js';
import { envelopeIdIn } from '../../application/event-feed/envelopes.js';
import { webhookEventId } from '../../application/provisioning/webhooks.js';
import { NOTIFICATIONS, relay } from '../../application/relay.js';
import { integrationStream } from '../../domain/streams.js';
import type { StoredRecord } from '../../ports/event-store.js';
import { eventEnvelopes } from '../../read-models/event-envelopes.js';
import { eventFeeds, type EventFeedDoc } from '../../read-models/event-feeds.js';

export interface MissingEvent {
  readonly record: StoredRecord;
  /** Id of its webhook event. */
  readonly eventId: string;
  /** Integrations that keep the event and have no envelope of it. */
  readonly integrations: readonly string[];
  /** Those of them that have no gap in its place either. */
  readonly absent: ReadonlySet<string>;
}

export interface FeedBatch {
  /** Some integration keeps some event of it. */
  readonly kept: boolean;
  readonly missing: readonly MissingEvent[];
}

const MOST_INTEGRATIONS = 1_000;

/**
 * @param isKept true for the id of an envelope that is known to be stored
 * @throws StoreUnavailable
 */
export async function missingEvents(
  app: Pick<App, 'barrier' | 'envelopesOrderedAfter' | 'readModels' | 'store'>,
  records: readonly StoredRecord[],
  isKept: (id: string) => boolean = () => false,
): Promise<FeedBatch> {
  const events = records.filter(isWebhookEvent);
  const last = events.at(-1);
  if (last === undefined) return { kept: false, missing: [] };
  // A feed that the read model does not show yet must not be missed.
  await app.barrier.wait([eventFeeds.name], last.position);
  const feeds = await feedsOf(app, new Set(events.map(({ meta }) => meta.company)));
  const wanted = events.flatMap((record) =>
    (feeds.get(record.meta.company) ?? [])
      .filter((feed) => keeps(feed, record))
      .map(({ integration_uuid: integration }) => {
        const eventId = webhookEventId(record.eventId);
        const id = envelopeIdIn(app, { eventId, position: record.position }, integration);
        return { record, eventId, integration, id };
      }),
  );
  if (wanted.length === 0) return { kept: false, missing: [] };
  const unknown = wanted.filter(({ id }) => !isKept(id));
  if (unknown.length === 0) return { kept: true, missing: [] };
  const stored = await app.readModels.getMany(
    eventEnvelopes.name,
    unknown.map(({ id }) => id),
  );
  const bodies = new Map(stored.map(({ id, doc }) => [id, doc.body]));
  const missing = new Map<string, ReturnType<typeof missingFrom>>();
  for (const { record, eventId, integration, id } of unknown) {
    if (typeof bodies.get(id) === 'string') continue;
    const event = missing.get(eventId) ?? missingFrom(record, eventId);
    missing.set(eventId, event);
    event.integrations.push(integration);
    if (!bodies.has(id)) event.absent.add(integration);
  }
  return { kept: true, missing: [...missing.values()] };
}

const missingFrom = (record: StoredRecord, eventId: string) => ({
  record,
  eventId,
  integrations: new Array<string>(),
  absent: new Set<string>(),
});

/** Events that may be webhooks; some of them turn out to be none when their stream is folded. */
const isWebhookEvent = (record: StoredRecord): boolean =>
  record.type !== 'WebhookEndpointChanged' && relay(record).some(({ topic }) => topic === NOTIFICATIONS);

/** A test event belongs to the integration whose endpoint is tested. */
const keeps = ({ kept_since, integration_uuid }: EventFeedDoc, { type, stream, position }: StoredRecord) =>
  kept_since !== null &&
  position > kept_since &&
  (type !== 'WebhookTestRequested' || integrationStream.match(stream) === integration_uuid);

async function feedsOf(
  { barrier, readModels }: Pick<App, 'barrier' | 'readModels'>,
  companies: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly EventFeedDoc[]>> {
  const found = await Promise.all(
    [...companies].map(async (company) => {
      const { documents } = await barrier.remembered(eventFeeds.name, company, () =>
        readModels.find(eventFeeds.name, {
          index: 'by_company',
          equals: [company],
          order: 'asc',
          limit: MOST_INTEGRATIONS,
        }),
      );
      return [company, documents.map(({ doc }) => doc)] as const;
    }),
  );
  return new Map(found);
}
