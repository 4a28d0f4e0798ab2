/**
 * Removes data with a limited retention: the log of webhook deliveries with its attempts, the events feed, and work
 * that was given up.
 * The history is kept; provider webhooks have a retention of their own (workers/inbound/retention.ts).
 *
 * A removed document leaves its id and version behind, so that a repeated event is not delivered again. These rows are
 * forgotten once no event can be repeated any more.
 */
import type { App } from '../../application/app.js';
import type { CollectionName, Document, Find, StoredDocument } from '../../ports/read-models.js';
import { deliveries, type DeliveryDoc } from '../../read-models/deliveries.js';
import { storedAttempts, type StoredAttempt } from '../../application/queries/delivery-attempts.js';
import { deliveryAttempts } from '../../read-models/delivery-attempts.js';
import { eventEnvelopes, eventGaps } from '../../read-models/event-envelopes.js';
import { heldWork } from '../../read-models/held-work.js';
import { imageUploads } from '../../read-models/image-uploads.js';
import { parkedMessages, type ParkedMessage } from '../../read-models/parked-messages.js';
import { webhookEndpoints } from '../../read-models/webhook-endpoints.js';
import { webhookHealth } from '../../read-models/webhook-health.js';
import { webhookJobs, type WebhookJobDoc } from '../../read-models/webhook-jobs.js';
import { every, type Rounds } from '../kernel/every.js';
import { sweepEventFeeds } from './event-feed.js';

export interface RetentionDays {
  readonly deliveryLog: number;
  readonly parkedMessages: number;
  /** Days for which the ids and versions of removed documents are kept, so that the documents cannot come back. */
  readonly removed: number;
}

/** Numbers of removed documents in one round, by kind. */
export type Removed = Readonly<
  Record<'deliveries' | 'delivery_attempts' | 'event_envelopes' | 'parked_messages' | 'forgotten', number>
>;

type RetentionApp = Pick<App, 'readModels' | 'clock' | 'logger'>;

const DAY_MS = 86_400_000;
const EVERY_MS = 3_600_000;
/** Documents in one step: other work can use the store between steps. */
const PAGE = 50;
/** Final statuses: a delivery that is still pending is never removed. */
const ENDED = ['delivered', 'failed', 'cancelled'] as const;

/** Removed documents of these collections are later forgotten, also those that other code removed. */
const FORGETFUL = [
  deliveries.name,
  deliveryAttempts.name,
  eventEnvelopes.name,
  eventGaps.name,
  parkedMessages.name,
  heldWork.name,
  webhookHealth.name,
  webhookJobs.name,
  imageUploads.name,
];
/** Rows without a document, in one step. */
const FORGOTTEN_AT_ONCE = 200;

/** Kafka keeps a topic for 7 days, and the offsets of a group for 14. The rest is margin. */
const REPEATED_DAYS = 30;

/**
 * Days after which no handled message can be repeated.
 * @param republishedMs longest time between two publications of a message that was not handled
 */
export const repeatedDays = (republishedMs: number): number =>
  Math.max(REPEATED_DAYS, Math.ceil((2 * republishedMs) / DAY_MS));

export function startRetention(app: RetentionApp, days: RetentionDays): Rounds {
  return every(app, EVERY_MS, 'removing what is no longer kept', async (stopping) => {
    const removed = await sweep(app, days, stopping);
    if (Object.values(removed).some((count) => count > 0)) app.logger.info(removed, 'retention');
  });
}

/** One round: removes everything older than `days`, in steps. */
export async function sweep(
  app: RetentionApp,
  days: RetentionDays,
  stopping: () => boolean = () => false,
): Promise<Removed> {
  const removed = {
    deliveries: 0,
    delivery_attempts: 0,
    event_envelopes: 0,
    parked_messages: 0,
    forgotten: 0,
  };
  const before = (ofDays: number): string => new Date(app.clock.now() - ofDays * DAY_MS).toISOString();
  for (const status of ENDED) {
    const query = { index: 'by_status', equals: [status] } as const;
    const made = ({ created_at }: DeliveryDoc): string => created_at;
    await eachOld(app, deliveries.name, query, made, before(days.deliveryLog), stopping, async (page) => {
      const held = await heldAmong(app, page);
      for (const delivery of page) {
        if (stopping()) return;
        if (held.has(delivery.id)) continue;
        removed.delivery_attempts += await removeAttempts(app, delivery.id);
        removed.deliveries += await remove(app, deliveries.name, [delivery], nextNumber);
      }
    });
  }
  removed.event_envelopes += await sweepEventFeeds(app, before(days.deliveryLog), stopping);
  const query = { index: 'newest', equals: [] } as const;
  const parked = ({ parked_at }: ParkedMessage): string => parked_at;
  await eachOld(
    app,
    parkedMessages.name,
    query,
    parked,
    before(days.parkedMessages),
    stopping,
    async (page) => {
      removed.parked_messages += await remove(app, parkedMessages.name, page, () =>
        new Date(app.clock.now()).toISOString(),
      );
    },
  );
  await removeHealth(app, stopping);
  for (const status of ['done', 'cancelled', 'failed']) {
    const ended = { index: 'by_status', equals: [status] } as const;
    const began = ({ created_at }: WebhookJobDoc): string => created_at;
    await eachOld(app, webhookJobs.name, ended, began, before(days.deliveryLog), stopping, async (page) => {
      await remove(app, webhookJobs.name, page, nextNumber);
    });
  }
  for (const collection of FORGETFUL)
    removed.forgotten += await forget(app, collection, days.removed, stopping);
  return removed;
}

/** Of endpoints that were removed. */
async function removeHealth(app: RetentionApp, stopping: () => boolean): Promise<void> {
  for (const failing of [0, 1]) {
    const query = { index: 'by_state', equals: [failing] } as const;
    await eachOld(
      app,
      webhookHealth.name,
      query,
      () => '',
      '~',
      stopping,
      async (page) => {
        const ids = page.map(({ id }) => id);
        const there = await app.readModels.getMany(webhookEndpoints.name, ids);
        const known = new Set(there.map(({ id }) => id));
        const gone = page.filter(({ id }) => !known.has(id));
        await remove(app, webhookHealth.name, gone, nextNumber);
      },
    );
  }
}

async function forget(
  { readModels, clock }: RetentionApp,
  collection: string,
  days: number,
  stopping: () => boolean,
): Promise<number> {
  let forgotten = 0;
  for (let more = true; more && !stopping();) {
    const now = clock.now();
    const slice = { now, notedBefore: now - days * DAY_MS, limit: FORGOTTEN_AT_ONCE };
    const done = await readModels.forgetRemoved(collection, slice);
    forgotten += done.forgotten;
    more = done.more;
  }
  return forgotten;
}

/** Deliveries that an operator has not decided about since a restore: if released, they are still to be delivered. */
async function heldAmong(
  { readModels }: RetentionApp,
  page: readonly StoredDocument<unknown>[],
): Promise<ReadonlySet<string>> {
  const ids = page.map(({ id }) => id);
  return new Set((await readModels.getMany(heldWork.name, ids)).map(({ id }) => id));
}

/** Oldest first. */
async function eachOld<Doc extends Document, Index extends string>(
  { readModels }: RetentionApp,
  collection: CollectionName<Doc, Index>,
  query: Pick<Find<NoInfer<Index>>, 'index' | 'equals'>,
  since: (doc: NoInfer<Doc>) => string,
  before: string,
  stopping: () => boolean,
  handle: (page: readonly StoredDocument<Doc>[]) => Promise<void>,
): Promise<void> {
  let after: Find['after'];
  while (!stopping()) {
    const page = { ...query, order: 'asc', limit: PAGE, ...(after === undefined ? {} : { after }) } as const;
    const { documents, next } = await readModels.find(collection, page);
    const old = documents.filter(({ doc }) => since(doc) < before);
    if (old.length > 0) await handle(old);
    if (old.length < documents.length || next === null) return;
    after = next;
  }
}

async function removeAttempts(app: RetentionApp, deliveryId: string): Promise<number> {
  const attempts: StoredAttempt[] = [];
  for await (const attempt of storedAttempts(app, deliveryId)) attempts.push(attempt);
  return remove(app, deliveryAttempts.name, attempts, nextNumber);
}

async function remove(
  { readModels }: RetentionApp,
  collection: string,
  documents: readonly Pick<StoredDocument<unknown>, 'id' | 'version'>[],
  versionAfter: (version: string) => string,
): Promise<number> {
  if (documents.length === 0) return 0;
  await readModels.write(
    collection,
    documents.map(({ id, version }) => ({ id, doc: null, version: versionAfter(version) })),
  );
  return documents.length;
}

/** Versions of these documents are numbers of fixed length. */
const nextNumber = (version: string): string => String(Number(version) + 1).padStart(version.length, '0');
