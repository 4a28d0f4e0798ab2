import type { WebhookEndpointDoc } from '../../read-models/webhook-endpoints.js';
import type { EndpointHealth } from '../queries/webhook-health.js';

/** In the public API and in the admin API. `now` in milliseconds since the epoch. */
export const presentWebhookEndpoint = (
  doc: WebhookEndpointDoc,
  health: EndpointHealth | undefined,
  now: number,
) => ({
  uuid: doc.endpoint_uuid,
  integration_uuid: doc.integration_uuid,
  url: doc.url,
  event_types: doc.event_types,
  enabled: doc.enabled,
  disabled_reason: doc.disabled_reason,
  changed_by: doc.changed_by,
  health: presentHealth(doc.enabled, health, now),
  created_at: doc.created_at,
  updated_at: doc.updated_at,
});

function presentHealth(enabled: boolean, health: EndpointHealth | undefined, now: number) {
  const recorded = health?.recorded;
  const until = recorded?.resting_until ?? null;
  const rests = enabled && until !== null && Date.parse(until) > now;
  return {
    status: !enabled
      ? 'paused'
      : !recorded
        ? 'unknown'
        : rests
          ? 'resting'
          : recorded.failing
            ? 'failing'
            : 'ok',
    last_success_at: recorded?.last_success_at ?? null,
    last_failure_at: recorded?.last_failure_at ?? null,
    last_failure: recorded?.last_failure ?? null,
    failing_since: recorded?.failing_since ?? null,
    resting_until: rests ? until : null,
    waiting: health?.waiting.count ?? 0,
    waiting_capped: health?.waiting.capped ?? false,
  };
}
