/**
 * What the webhook worker keeps: one document per delivery and one per attempt. They are operational records outside
 * the event history; the due-time store holds one row per delivery that still has to be made.
 */
import type { CollectionSpec, Document } from '../../ports/read-models.js';
import type { HttpFailure } from '../../ports/http-sender.js';

/** Queue of the due-time store. The lane is the endpoint's uuid, the id is the delivery's. */
export const DELIVERY_QUEUE = 'webhook';
export const DELIVERIES = 'deliveries';
export const DELIVERY_ATTEMPTS = 'delivery_attempts';

/**
 * `pending`: waiting for its first or next attempt. `failed`: the schedule is used up, or the receiver said 410.
 * `cancelled`: came due while the endpoint was disabled or gone; kept, so that it can be caught up.
 */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'cancelled';
export type DeliveryTrigger = 'auto' | 'manual';

export interface DeliveryDocument extends Document {
  readonly delivery_id: string;
  readonly company_uuid: string;
  readonly integration_uuid: string;
  readonly endpoint_uuid: string;
  readonly event_id: string;
  readonly event_type: string;
  /** Trace that it belongs to; absent in what earlier releases wrote. */
  readonly correlation_id?: string;
  readonly trigger: DeliveryTrigger;
  /** The delivery whose bytes this explicit redelivery sends again; null for those of a replay. */
  readonly redelivery_of: string | null;
  readonly status: DeliveryStatus;
  /** The request body, made once; every attempt sends these bytes (UTF-8). */
  readonly body: string;
  /** Lower-case hex. */
  readonly body_sha256: string;
  readonly attempts: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly next_attempt_at: string | null;
  /** HTTP status of the last attempt; null when there was no answer, or no attempt yet. */
  readonly last_status: number | null;
  readonly last_error: string | null;
}

export interface AttemptDocument extends Document {
  readonly delivery_id: string;
  readonly company_uuid: string;
  readonly integration_uuid: string;
  readonly endpoint_uuid: string;
  readonly event_id: string;
  readonly number: number;
  readonly trigger: DeliveryTrigger;
  /** When the request was begun. */
  readonly at: string;
  readonly url: string;
  /** Address that was dialled, as far as known. */
  readonly address: string | null;
  readonly status: number | null;
  /** `http_status` for an answer that is not 2xx; null on success. */
  readonly failure: HttpFailure | 'http_status' | null;
  readonly message: string | null;
  readonly duration_ms: number;
  readonly response_headers: Readonly<Record<string, string>>;
  readonly response_body: string;
  /** Of the current secret, the first that signed. */
  readonly key_fingerprint: string;
  readonly next_attempt_at: string | null;
}

export const deliveriesCollection: CollectionSpec = {
  name: DELIVERIES,
  version: 1,
  indexes: {
    by_integration: ['integration_uuid', 'created_at'],
    by_endpoint_status: ['endpoint_uuid', 'status', 'created_at'],
    by_status: ['status', 'created_at'],
    by_event: ['event_id', 'created_at'],
  },
  forgets: true,
};

export const deliveryAttemptsCollection: CollectionSpec = {
  name: DELIVERY_ATTEMPTS,
  version: 1,
  indexes: { by_delivery: ['delivery_id', 'number'] },
  forgets: true,
};

export const webhookCollections: readonly CollectionSpec[] = [
  deliveriesCollection,
  deliveryAttemptsCollection,
];

/** Versions of a delivery count its changes; strings of one length compare like the numbers. */
export const FIRST_VERSION = '0000000001';
export const nextVersion = (version: string): string => String(Number(version) + 1).padStart(10, '0');

/** Two holders that both sent (the first one's lease ran out) leave two records: the fence tells them apart. */
export const attemptId = (deliveryId: string, number: number, fence: number): string =>
  `${deliveryId}:${String(number).padStart(4, '0')}:${fence}`;
