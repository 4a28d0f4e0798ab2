import { unsignedHeaders } from '../../domain/policies/webhook-headers.js';
import type { DeliveryDoc } from '../../read-models/deliveries.js';
import type { DeliveryAttemptDoc } from '../../read-models/delivery-attempts.js';

export type DeliverySource = Pick<
  DeliveryDoc,
  | 'delivery_id'
  | 'event_id'
  | 'event_type'
  | 'integration_uuid'
  | 'endpoint_uuid'
  | 'status'
  | 'body'
  | 'attempts'
  | 'last_status'
  | 'last_error'
  | 'next_attempt_at'
  | 'created_at'
  | 'updated_at'
>;

export type AttemptSource = Pick<
  DeliveryAttemptDoc,
  | 'number'
  | 'trigger'
  | 'url'
  | 'address'
  | 'at'
  | 'duration_ms'
  | 'status'
  | 'failure'
  | 'response_body'
  | 'next_attempt_at'
>;

const ERROR_CLASS = 64;
const BODY = 16_384;

/** In the public API and in the admin API. */
export const presentDelivery = (doc: DeliverySource) => ({
  id: doc.delivery_id,
  event_id: doc.event_id,
  event_type: doc.event_type,
  integration_uuid: doc.integration_uuid,
  endpoint_uuid: doc.endpoint_uuid,
  status: doc.status,
  attempt_count: doc.attempts,
  last_status_code: doc.last_status,
  // The class of the failure precedes the colon; its details are stored with the attempt.
  last_error: doc.last_error?.replace(/:.*/s, '').slice(0, ERROR_CLASS) ?? null,
  next_attempt_at: doc.next_attempt_at,
  created_at: doc.created_at,
  completed_at: doc.status === 'pending' ? null : doc.updated_at,
});

export const presentAttempt = (doc: AttemptSource) => ({
  number: doc.number,
  trigger: doc.trigger,
  url: doc.url,
  remote_ip: doc.address,
  started_at: doc.at,
  duration_ms: Math.round(doc.duration_ms),
  status_code: doc.status,
  error: doc.failure,
  response_body: doc.response_body.slice(0, BODY),
  next_attempt_at: doc.next_attempt_at,
});

/** For the integration itself: with the bytes that were sent, and the headers without their signatures. */
export const presentOwnDelivery = (
  doc: DeliverySource & Pick<DeliveryDoc, 'redelivery_of'>,
  attempts: readonly (AttemptSource & Pick<DeliveryAttemptDoc, 'response_headers'>)[],
) => ({
  ...presentDelivery(doc),
  redelivery_of: doc.redelivery_of,
  // Emptied when the person was erased.
  body: doc.body === '' ? null : doc.body,
  attempts: attempts.map((attempt) => ({
    ...presentAttempt(attempt),
    request_headers: unsignedHeaders(doc, attempt.number, Date.parse(attempt.at)),
    response_headers: attempt.response_headers,
  })),
});
