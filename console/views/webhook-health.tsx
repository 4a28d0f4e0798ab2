import { Badge } from '../parts.js';
import type { Endpoint } from '../shapes.js';
import { fullTime, t } from '../words.js';

export function Health({ endpoint: { enabled, health } }: { readonly endpoint: Endpoint }) {
  if (!enabled) return <Badge kind="plain">{t('webhooks.paused')}</Badge>;
  if (!health?.failing_since)
    return health?.last_success_at ? (
      <Badge kind="good">{t('webhooks.well')}</Badge>
    ) : (
      <Badge kind="plain">{t('webhooks.untried')}</Badge>
    );
  return (
    <>
      <Badge kind="bad">{t('webhooks.failing', { since: fullTime(health.failing_since) })}</Badge>
      {health.last_failure !== null && <div class="quiet">{health.last_failure}</div>}
      {health.resting_until !== null && (
        <div class="quiet">{t('webhooks.resting', { until: fullTime(health.resting_until) })}</div>
      )}
    </>
  );
}
