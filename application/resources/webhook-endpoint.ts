import type { WebhookEndpointDoc } from '../../read-models/webhook-endpoints.js';

/** In the public API and in the admin API. */
export const presentWebhookEndpoint = (doc: WebhookEndpointDoc) => ({
  uuid: doc.endpoint_uuid,
  integration_uuid: doc.integration_uuid,
  url: doc.url,
  event_types: doc.event_types,
  enabled: doc.enabled,
  disabled_reason: doc.disabled_reason,
  changed_by: doc.changed_by,
  created_at: doc.created_at,
  updated_at: doc.updated_at,
});
