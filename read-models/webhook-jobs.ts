/** Replays, back-fills and redeliveries of many deliveries: operational records outside the event history. */
import type { CompanyUuid } from '../domain/kernel/ids.js';
import type { Position } from '../ports/event-store.js';
import { collection } from './collection.js';

/**
 * `replay`: a part of the history again, as new deliveries. `back_fill`: the events before a new endpoint, as the
 * deliveries that it would have had. `redeliver_failed`: what waits, was cancelled or has failed.
 */
export type WebhookJobKind = 'replay' | 'back_fill' | 'redeliver_failed';

/** All but `running` are final. */
export type WebhookJobStatus = 'running' | 'done' | 'cancelled' | 'failed';

export type WebhookJobDoc = {
  readonly uuid: string;
  readonly kind: WebhookJobKind;
  readonly endpoint_uuid: string;
  readonly integration_uuid: string;
  readonly company_uuid: CompanyUuid;
  readonly status: WebhookJobStatus;
  /** Why it failed, as a code. */
  readonly reason: string | null;
  /** Why it makes no progress at present. */
  readonly waits_for: 'endpoint_enabled' | 'endpoint_answers' | null;
  /** Nothing is delivered, only counted. */
  readonly dry_run: boolean;
  readonly per_second: number;
  /** Begin, inclusive, and end, exclusive, each as a time or as a sequence. For `redeliver_failed` by creation time. */
  readonly from: string | null;
  readonly from_sequence: number | null;
  readonly to: string | null;
  readonly to_sequence: number | null;
  /** Set by the first piece; null for `redeliver_failed`. */
  readonly start: Position | null;
  readonly end: Position | null;
  /** Reached so far. */
  readonly position: Position | null;
  /** Reached so far, for `redeliver_failed`: the stage, and the place in the index. */
  readonly place: { readonly status: string; readonly after: readonly (string | number | null)[] } | null;
  /** Share that is done, 0 to 1; null when it is not known. */
  readonly part: number | null;
  /** Events that the endpoint gets for the first time, and again. */
  readonly first_time: number;
  readonly again: number;
  /** Events whose delivery is in progress or was successful, so that they are not sent twice. */
  readonly under_way: number;
  /** Events of erased people, and deliveries that a restore holds. */
  readonly left_out: number;
  /** The last try of a failing endpoint, and how many in a row; null while it takes deliveries. */
  readonly probe: { readonly at: string; readonly number: number } | null;
  /** Some tries were in vain: the deliveries that they were made with are sent again at the end. */
  readonly tried: boolean;
  /** Failed pieces in a row. */
  readonly failures: number;
  /** Of the request, if it had an Idempotency-Key. */
  readonly fingerprint: string | null;
  readonly requested_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly finished_at: string | null;
};

export const webhookJobs = collection<WebhookJobDoc>()({
  name: 'webhook_jobs',
  version: 1,
  indexes: {
    by_endpoint: ['endpoint_uuid', 'created_at'],
    by_endpoint_status: ['endpoint_uuid', 'status', 'created_at'],
    by_status: ['status', 'created_at'],
  },
  forgets: true,
});
