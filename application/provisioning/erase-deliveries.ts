/**
 * Webhook bodies contain whole resources, so those about an erased person are emptied. The integrator holds what was
 * delivered, and must be asked to erase it too. Undelivered bodies are given up, because there is nothing left to send.
 */
import type { DocumentWrite } from '../../ports/read-models.js';
import { deliveries } from '../../read-models/deliveries.js';
import { deliveryAttempts, type DeliveryAttemptDoc } from '../../read-models/delivery-attempts.js';
import type { App } from '../app.js';
import { allDocuments } from './documents.js';
import { webhookEventId } from './webhooks.js';
import { storedAttempts } from '../queries/delivery-attempts.js';

/** Due-time queue of the webhook worker. */
const QUEUE = 'webhook';

const REWRITES = 5;

/** Receivers often echo the request in their response. */
const NO_ANSWER = { response_body: '', response_headers: {} };

/** @param streams every stream of the person; returns the number of deliveries that were emptied */
export async function emptyDeliveries(
  app: Pick<App, 'dueTimes' | 'readModels' | 'store'>,
  streams: readonly string[],
): Promise<number> {
  let emptied = 0;
  for (const stream of streams) {
    for (const { eventId } of await app.store.read(stream)) {
      for await (const { id } of allDocuments(app, deliveries.name, 'by_event', [webhookEventId(eventId)])) {
        if (await emptyOne(app, id)) emptied += 1;
      }
    }
  }
  return emptied;
}

async function emptyOne(app: Pick<App, 'dueTimes' | 'readModels'>, id: string): Promise<boolean> {
  const done = await rewriteDelivery(app, id);
  await app.dueTimes.cancel(QUEUE, [id]);
  const writes: DocumentWrite<DeliveryAttemptDoc>[] = [];
  for await (const { id: attempt, doc, version } of storedAttempts(app, id)) {
    writes.push({ id: attempt, doc: { ...doc, ...NO_ANSWER }, version: next(version) });
  }
  if (writes.length > 0) await app.readModels.write(deliveryAttempts.name, writes);
  return done;
}

/** The dispatcher may write the same document concurrently; retried until the emptied body is stored. */
async function rewriteDelivery(app: Pick<App, 'readModels'>, id: string): Promise<boolean> {
  for (let turn = 0; turn < REWRITES; turn += 1) {
    const stored = await app.readModels.get(deliveries.name, id);
    if (!stored || stored.doc.body === '') return turn > 0;
    const { doc } = stored;
    const undelivered = doc.status === 'pending' || doc.status === 'cancelled';
    await app.readModels.write(deliveries.name, [
      {
        id,
        doc: {
          ...doc,
          body: '',
          ...(doc.delivered_by ? { delivered_by: { ...doc.delivered_by, ...NO_ANSWER } } : {}),
          ...(undelivered
            ? { status: 'failed', next_attempt_at: null, last_error: 'the person was erased' }
            : {}),
        },
        version: next(stored.version),
      },
    ]);
  }
  throw new Error(`delivery ${id} kept changing while it was emptied`);
}

/** Increments the version as the webhook worker does. */
const next = (version: string): string => String(Number(version) + 1).padStart(version.length, '0');
