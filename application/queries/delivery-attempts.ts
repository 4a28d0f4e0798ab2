/**
 * The attempts of a delivery. The one that delivered it is in the delivery's document; the ids of all others begin with
 * the delivery's id, so that no index has to be kept.
 */
import type { ReadModels } from '../../ports/read-models.js';
import type { DeliveryDoc, WebhookRequest } from '../../read-models/deliveries.js';
import { deliveryAttempts, type DeliveryAttemptDoc } from '../../read-models/delivery-attempts.js';

export interface StoredAttempt {
  readonly id: string;
  readonly version: string;
  readonly doc: DeliveryAttemptDoc;
}

const PAGE = 200;
/** A receiver that fails for days, and is asked again by hand, gets some hundred. */
const SHOWN = 1_000;

/** Two holders that both sent (the first one's lease expired) leave two records: the fence distinguishes them. */
export const attemptId = (deliveryId: string, number: number, fence: number): string =>
  `${beginningOf(deliveryId)}${String(number).padStart(4, '0')}:${fence}`;

const beginningOf = (deliveryId: string): string => `${deliveryId}:`;

/** Those with a document of their own, in order. */
export async function* storedAttempts(
  { readModels }: { readonly readModels: Pick<ReadModels, 'scan'> },
  deliveryId: string,
): AsyncGenerator<StoredAttempt> {
  let after: string | null = null;
  do {
    const page = await readModels.scan(deliveryAttempts.name, {
      prefix: beginningOf(deliveryId),
      after,
      limit: PAGE,
      order: 'asc',
    });
    for (const { id, version, text } of page)
      yield { id, version, doc: JSON.parse(text) as DeliveryAttemptDoc };
    after = page.length < PAGE ? null : page.at(-1)!.id;
  } while (after !== null);
}

/** What is shown of them: the first thousand, in order, and the one that delivered it. */
export async function attemptsOf(
  app: { readonly readModels: Pick<ReadModels, 'scan'> },
  delivery: DeliveryDoc,
): Promise<readonly DeliveryAttemptDoc[]> {
  const shown: DeliveryAttemptDoc[] = [];
  for await (const { doc } of storedAttempts(app, delivery.delivery_id)) {
    shown.push(doc);
    if (shown.length === SHOWN) break;
  }
  const last = containedAttempt(delivery);
  // A write that was repeated, because it had no answer, records the attempt a second time.
  if (!last || shown.some(({ number, at }) => number === last.number && at === last.at)) return shown;
  return [...shown, last].sort((a, b) => a.number - b.number || Date.parse(a.at) - Date.parse(b.at));
}

/** An attempt as a record of its own. */
export const attemptDoc = (
  { delivery_id, company_uuid, integration_uuid, endpoint_uuid, event_id, trigger }: DeliveryDoc,
  request: WebhookRequest,
  judged: Pick<DeliveryAttemptDoc, 'number' | 'failure' | 'message' | 'next_attempt_at'>,
): DeliveryAttemptDoc => ({
  delivery_id,
  company_uuid,
  integration_uuid,
  endpoint_uuid,
  event_id,
  trigger,
  ...request,
  ...judged,
});

function containedAttempt(delivery: DeliveryDoc): DeliveryAttemptDoc | null {
  const { delivered_by: request, attempts: number } = delivery;
  if (!request) return null;
  return attemptDoc(delivery, request, { number, failure: null, message: null, next_attempt_at: null });
}
