/** One piece of redelivering what an endpoint missed: deliveries that wait, were cancelled, or have failed. */
import type { App } from '../../application/app.js';
import { nextDeliveryId } from '../../application/webhooks/delivery-ids.js';
import type { StoredDocument } from '../../ports/read-models.js';
import { deliveries, type DeliveryDoc } from '../../read-models/deliveries.js';
import type { WebhookJobDoc } from '../../read-models/webhook-jobs.js';
import { DELIVERY_QUEUE, nextVersion } from '../webhooks/documents.js';
import { deliveryRow, type NewDelivery } from '../webhooks/enqueue.js';
import { nothing, type Counts, type Piece } from './piece.js';

/**
 * In this order: what waits goes first, so that nothing of it waits behind the rest. The last: what waits again because
 * the endpoint was tried with it in vain.
 */
const STAGES = ['pending', 'cancelled', 'failed', 'tried'] as const;
type Stage = (typeof STAGES)[number];

/** Deliveries of one event, over all redeliveries. */
const OF_EVENT = 100;

export interface RedeliverDeps {
  readonly app: Pick<App, 'readModels' | 'dueTimes' | 'clock'>;
  readonly enqueue: (deliveries: readonly NewDelivery[]) => Promise<void>;
}

/** @param limit most deliveries of the piece */
export async function redeliverPiece(deps: RedeliverDeps, job: WebhookJobDoc, limit: number): Promise<Piece> {
  const { app } = deps;
  const stages = STAGES.filter((each) => each !== 'tried' || job.tried);
  const index = Math.max(
    0,
    stages.findIndex((each) => each === job.place?.status),
  );
  const stage = stages[index] ?? 'pending';
  const found = await app.readModels.find(deliveries.name, {
    index: 'by_endpoint_status',
    equals: [job.endpoint_uuid, stage === 'tried' ? 'pending' : stage],
    order: 'asc',
    limit,
    after: job.place?.after ?? [job.from ?? '', ''],
  });
  // Deliveries that this job makes are younger than the job.
  const page =
    stage === 'tried'
      ? found.documents
      : found.documents.filter(({ doc }) => doc.created_at <= job.created_at);
  const counts = await REDELIVER[stage](deps, job, page);
  const last = page.at(-1);
  const more = found.next !== null && page.length === found.documents.length;
  if (more && last)
    return { ...counts, done: false, place: { status: stage, after: [last.doc.created_at, last.id] } };
  const next = stages[index + 1];
  return next === undefined
    ? { ...counts, done: true }
    : { ...counts, done: false, place: { status: next, after: [job.from ?? '', ''] } };
}

type Page = readonly StoredDocument<DeliveryDoc>[];
type Redeliver = (deps: RedeliverDeps, job: WebhookJobDoc, page: Page) => Promise<Counts>;

const REDELIVER: Readonly<Record<Stage, Redeliver>> = {
  pending: bringForward,
  cancelled: resume,
  failed: sendAgain,
  tried: bringForward,
};

/** When the nth delivery of a piece is due, so that the pace is kept. */
const dueAt = ({ app }: RedeliverDeps, { per_second }: WebhookJobDoc, n: number): number =>
  Math.round(app.clock.now() + (n * 1000) / per_second);

/** Only the row moves: an attempt may be in progress, and will write the document. */
async function bringForward(deps: RedeliverDeps, job: WebhookJobDoc, page: Page): Promise<Counts> {
  const counts = { ...nothing };
  for (const { id, doc } of page) {
    const due = dueAt(deps, job, counts.again);
    if (Date.parse(doc.next_attempt_at ?? '') <= due) {
      counts.under_way += 1;
      continue;
    }
    if (job.dry_run || (await deps.app.dueTimes.reschedule(DELIVERY_QUEUE, id, due))) counts.again += 1;
    else counts.under_way += 1;
  }
  return counts;
}

/** Under their own ids, as when the endpoint is enabled. */
async function resume(deps: RedeliverDeps, job: WebhookJobDoc, page: Page): Promise<Counts> {
  const { readModels, dueTimes, clock } = deps.app;
  if (!job.dry_run && page.length > 0) {
    const at = new Date(clock.now()).toISOString();
    const writes = page.map(({ id, doc, version }, n) => {
      const next_attempt_at = new Date(dueAt(deps, job, n)).toISOString();
      const pending = {
        ...doc,
        status: 'pending',
        updated_at: at,
        next_attempt_at,
        last_error: null,
      } as const;
      return { id, doc: pending, version: nextVersion(version) };
    });
    await readModels.write(deliveries.name, writes);
    await dueTimes.schedule(writes.map(({ doc }) => deliveryRow(doc, Date.parse(doc.next_attempt_at))));
  }
  return { ...nothing, again: page.length };
}

/** As new deliveries, unless another delivery of the event has succeeded or is in progress. */
async function sendAgain(deps: RedeliverDeps, job: WebhookJobDoc, page: Page): Promise<Counts> {
  const counts = { ...nothing };
  const wanted: NewDelivery[] = [];
  const events = new Set<string>();
  for (const { id, doc } of page) {
    // Restored work is an operator's decision: recado operations release.
    if (doc.body === '' || doc.last_error?.startsWith('held:')) {
      counts.left_out += 1;
      continue;
    }
    if (events.has(doc.event_id) || (await isSettled(deps, doc))) {
      counts.under_way += 1;
      continue;
    }
    events.add(doc.event_id);
    wanted.push(again(job, id, doc, dueAt(deps, job, wanted.length)));
    counts.again += 1;
  }
  if (!job.dry_run && wanted.length > 0) await deps.enqueue(wanted);
  return counts;
}

async function isSettled({ app }: RedeliverDeps, { event_id, endpoint_uuid }: DeliveryDoc): Promise<boolean> {
  const { documents } = await app.readModels.find(deliveries.name, {
    index: 'by_event',
    equals: [event_id],
    order: 'desc',
    limit: OF_EVENT,
  });
  return documents.some(
    ({ doc }) =>
      doc.endpoint_uuid === endpoint_uuid && (doc.status === 'delivered' || doc.status === 'pending'),
  );
}

/** Its id derives from the job's, so that a repeated piece makes none twice. */
const again = (job: WebhookJobDoc, id: string, doc: DeliveryDoc, due: number): NewDelivery => ({
  deliveryId: nextDeliveryId({ eventId: doc.event_id, deliveryId: id }, 'redeliver', job.uuid),
  companyUuid: doc.company_uuid,
  integrationUuid: doc.integration_uuid,
  endpointUuid: doc.endpoint_uuid,
  eventId: doc.event_id,
  eventType: doc.event_type,
  ...(doc.correlation_id === undefined ? {} : { correlationId: doc.correlation_id }),
  body: doc.body,
  trigger: 'manual',
  redeliveryOf: id,
  dueAt: due,
});
