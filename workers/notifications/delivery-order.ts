/** The webhook form of one recorded event: its type and its deliveries. */
import type { App } from '../../application/app.js';
import type { RecordedEvent } from '../../application/codec.js';
import { webhookEventId } from '../../application/provisioning/webhooks.js';
import type { EventPointer } from '../../application/relay.js';
import { deliveryIdIn } from '../../application/webhooks/delivery-ids.js';
import { messageStream } from '../../domain/streams.js';
import type { EndpointRow } from './endpoints.js';
import type { Envelope } from './envelope.js';
import type { NotifiableEvent, WebhookEventType } from './event-kind.js';

/** Input of the delivery engine. Structural, so that this worker does not depend on that one. */
export interface DeliveryOrder {
  readonly deliveryId: string;
  readonly companyUuid: string;
  readonly integrationUuid: string;
  readonly endpointUuid: string;
  readonly contactUuid: string | null;
  readonly eventId: string;
  readonly eventType: string;
  /** Trace that it belongs to. */
  readonly correlationId: string;
  readonly body: string;
}

export type History = readonly RecordedEvent<NotifiableEvent>[];

/**
 * The stream up to and including the event; null when another event has its revision.
 * @throws Error when the stream does not contain the event yet: it was in the history before the pointer was published,
 * so it must exist
 */
export async function historyUpTo(
  app: Pick<App, 'store' | 'codec'>,
  { stream, revision, event_id }: Pick<EventPointer, 'stream' | 'revision' | 'event_id'>,
): Promise<History | null> {
  const records = await app.store.read(stream, { limit: revision + 1 });
  if ((records.at(-1)?.revision ?? -1) < revision) {
    throw new Error(`stream ${stream} does not show event ${revision} that is to be delivered`);
  }
  const history = await app.codec.decodeAll<NotifiableEvent>(records);
  return history[history.length - 1]?.record.eventId === event_id ? history : null;
}

export const deliveryOrder = (
  app: Pick<App, 'deliveriesNearAfter' | 'store'>,
  endpoint: EndpointRow,
  type: WebhookEventType,
  history: History,
  envelope: Envelope,
): DeliveryOrder => {
  const { record } = history.at(-1)!;
  const eventId = webhookEventId(record.eventId);
  return {
    deliveryId: deliveryIdIn(app, { eventId, position: record.position }, endpoint.endpoint_uuid),
    companyUuid: endpoint.company_uuid,
    integrationUuid: endpoint.integration_uuid,
    endpointUuid: endpoint.endpoint_uuid,
    eventId,
    eventType: type,
    correlationId: traceOf(history),
    ...envelope,
  };
};

/** Statuses of a message arrive in requests of the provider; they belong to the trace of the message's first event. */
const traceOf = (history: History): string => {
  const last = history.at(-1)!.record;
  return messageStream.match(last.stream) === undefined
    ? last.meta.correlation_id
    : history[0]!.record.meta.correlation_id;
};
