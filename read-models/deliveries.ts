/** Deliveries of webhooks: operational records outside the event history. */
import type { CompanyUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

/**
 * `pending`: waiting for its first or next attempt. `failed`: all scheduled attempts failed, or the receiver answered
 * 410. `cancelled`: came due while the endpoint was disabled or deleted; kept, so that it can be delivered later.
 */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'cancelled';
export type DeliveryTrigger = 'auto' | 'manual';

/** A request and what it came to. */
export type WebhookRequest = {
  /** When the request was started. */
  readonly at: string;
  readonly url: string;
  /** Address that was dialled, if known. */
  readonly address: string | null;
  readonly status: number | null;
  readonly duration_ms: number;
  readonly response_headers: Readonly<Record<string, string>>;
  readonly response_body: string;
  /** Fingerprint of the current secret, which signs first. */
  readonly key_fingerprint: string;
};

export type DeliveryDoc = {
  readonly delivery_id: string;
  readonly company_uuid: CompanyUuid;
  readonly integration_uuid: string;
  readonly endpoint_uuid: string;
  readonly event_id: string;
  readonly event_type: string;
  /** Trace that it belongs to; absent in documents of earlier releases. */
  readonly correlation_id?: string;
  readonly trigger: DeliveryTrigger;
  /** The delivery whose bytes this manual redelivery sends again; null for deliveries of a replay. */
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
  /**
   * Present when it was delivered; its number is `attempts`. Most deliveries have this one attempt, which then costs no document of its own.
   * Failed attempts are delivery_attempts, as are all attempts of earlier releases.
   */
  readonly delivered_by?: WebhookRequest;
};

/** Characters of an event's id that the ids of its deliveries begin with: 48 bits of the uuid. */
export const EVENT_IN_ID = 13;

export const deliveries = collection<DeliveryDoc>()({
  name: 'deliveries',
  version: 1,
  indexes: {
    by_integration: ['integration_uuid', 'created_at'],
    by_endpoint_status: ['endpoint_uuid', 'status', 'created_at'],
    by_status: ['status', 'created_at'],
    by_event: ['event_id', 'created_at'],
  },
  idsBegin: { index: 'by_event', characters: EVENT_IN_ID },
  forgets: true,
  packed: true,
});
