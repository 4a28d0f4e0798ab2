/** Creates deliveries: new ones, and those that are sent again by hand. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../ports/clock.js';
import type { DueEntry, DueTimes } from '../../ports/due-times.js';
import type { DocumentWrite, ReadModels } from '../../ports/read-models.js';
import type { OpenBatch } from '../../ports/topics.js';
import { deliveries, type DeliveryDoc, type DeliveryTrigger } from '../../read-models/deliveries.js';
import { DELIVERY_QUEUE, FIRST_VERSION } from './documents.js';
import type { MadeDeliveries } from './made-deliveries.js';

export interface EnqueueDeps {
  readonly dueTimes: DueTimes;
  readonly readModels: ReadModels;
  readonly clock: Clock;
  /** Learns of the deliveries that are new, so that their first claim need not read them. */
  readonly made?: MadeDeliveries;
}

export interface NewDelivery {
  /** Stable for (event, endpoint), so that repeating an enqueue changes nothing. */
  readonly deliveryId: string;
  readonly companyUuid: string;
  readonly integrationUuid: string;
  readonly endpointUuid: string;
  readonly eventId: string;
  readonly eventType: string;
  /** The trace that the delivery belongs to. */
  readonly correlationId?: string;
  /** The envelope as JSON text, sent unchanged on every attempt. */
  readonly body: string;
  /** Default: `auto`. */
  readonly trigger?: DeliveryTrigger;
  /** The delivery whose bytes it sends again. */
  readonly redeliveryOf?: string;
  /** Milliseconds since the epoch. Default: now. */
  readonly dueAt?: number;
}

/**
 * Durable when it resolves: the documents first, then the rows. A crash in between leaves a document without a row, so
 * the caller repeats the call (it has not acknowledged its message yet). Documents and rows that exist already stay as
 * they are.
 * @param open while this batch is open, the documents and rows may be kept in memory. The rows are claimed at once, so
 * what has to be durable before the first attempt (the envelope) is durable before this call
 */
export async function enqueueDeliveries(
  deps: EnqueueDeps,
  wanted: readonly NewDelivery[],
  open?: OpenBatch,
): Promise<void> {
  const now = deps.clock.now();
  const documents = wanted.map((delivery) => newDocument(delivery, now));
  const writes = documents.map((doc) => ({ id: doc.delivery_id, doc, version: FIRST_VERSION }));
  const known = await writeNew(deps.readModels, writes, open);
  deps.made?.note(known.length === 0 ? writes : writes.filter(({ id }) => !known.includes(id)));
  await deps.dueTimes.schedule(
    documents.map((doc, index) => deliveryRow(doc, wanted[index]?.dueAt ?? now)),
    open,
  );
}

async function writeNew(
  readModels: ReadModels,
  writes: readonly DocumentWrite<DeliveryDoc>[],
  open: OpenBatch | undefined,
): Promise<readonly string[]> {
  if (!open) return readModels.write(deliveries.name, writes, { gather: true });
  const { refused, durable } = await readModels.writeSoon(deliveries.name, writes);
  open.until(durable);
  return refused;
}

/** Longer than it takes to write a document. */
const DOCUMENT_BY_MS = 30_000;

/**
 * Sends a past delivery's bytes again as a new delivery (same event id, new delivery id), regardless of the first one's
 * outcome. Every call makes its own, so that it cannot be dropped as a duplicate. Undefined when there is no such
 * delivery.
 */
export async function redeliver(
  deps: EnqueueDeps & { readonly newId: () => string },
  deliveryId: string,
): Promise<DeliveryDoc | undefined> {
  const original = await deps.readModels.get(deliveries.name, deliveryId);
  if (original === undefined) return undefined;
  const now = deps.clock.now();
  const at = new Date(now).toISOString();
  const { delivered_by: _, ...copied } = original.doc;
  const doc: DeliveryDoc = {
    ...copied,
    delivery_id: deps.newId(),
    trigger: 'manual',
    redelivery_of: deliveryId,
    status: 'pending',
    attempts: 0,
    created_at: at,
    updated_at: at,
    next_attempt_at: at,
    last_status: null,
    last_error: null,
  };
  // Nobody repeats this after a crash. A row without a document ends by itself; a document without a row would be
  // pending for ever. So the row is written first, and becomes due only when the document exists.
  await deps.dueTimes.schedule([deliveryRow(doc, now + DOCUMENT_BY_MS)]);
  await deps.readModels.write(deliveries.name, [{ id: doc.delivery_id, doc, version: FIRST_VERSION }]);
  await deps.dueTimes.reschedule(DELIVERY_QUEUE, doc.delivery_id, now);
  return doc;
}

function newDocument(delivery: NewDelivery, now: number): DeliveryDoc {
  const at = new Date(now).toISOString();
  return {
    delivery_id: delivery.deliveryId,
    company_uuid: delivery.companyUuid,
    integration_uuid: delivery.integrationUuid,
    endpoint_uuid: delivery.endpointUuid,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    ...(delivery.correlationId === undefined ? {} : { correlation_id: delivery.correlationId }),
    trigger: delivery.trigger ?? 'auto',
    redelivery_of: delivery.redeliveryOf ?? null,
    status: 'pending',
    body: delivery.body,
    body_sha256: createHash('sha256').update(delivery.body, 'utf8').digest('hex'),
    attempts: 0,
    created_at: at,
    updated_at: at,
    next_attempt_at: new Date(delivery.dueAt ?? now).toISOString(),
    last_status: null,
    last_error: null,
  };
}

/**
 * The row repeats the number of attempts made: a document that is ahead of its row was recorded, but its row not
 * settled.
 */
export const deliveryRow = (doc: DeliveryDoc, dueAt: number): DueEntry => ({
  queue: DELIVERY_QUEUE,
  id: doc.delivery_id,
  lane: doc.endpoint_uuid,
  dueAt,
  payload: { attempts: doc.attempts },
});
