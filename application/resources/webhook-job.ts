import type { WebhookJobDoc } from '../../read-models/webhook-jobs.js';

/** In the public API and in the admin API. */
export const presentWebhookJob = (doc: WebhookJobDoc) => ({
  uuid: doc.uuid,
  kind: doc.kind,
  endpoint_uuid: doc.endpoint_uuid,
  status: doc.status,
  reason: doc.reason,
  waits_for: doc.waits_for,
  dry_run: doc.dry_run,
  per_second: doc.per_second,
  from: doc.from,
  from_sequence: doc.from_sequence,
  to: doc.to,
  to_sequence: doc.to_sequence,
  progress: doc.part,
  first_time: doc.first_time,
  again: doc.again,
  under_way: doc.under_way,
  left_out: doc.left_out,
  // How long the deliveries take at this pace.
  seconds: Math.ceil((doc.first_time + doc.again) / doc.per_second),
  requested_by: doc.requested_by,
  created_at: doc.created_at,
  updated_at: doc.updated_at,
  finished_at: doc.finished_at,
});
