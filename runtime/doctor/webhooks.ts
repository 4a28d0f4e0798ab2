/** Findings about webhook endpoints and events feeds. Only reads. */
import { ok, warn, type Finding } from '../../api/admin/doctor.js';
import type { App } from '../../application/app.js';
import { failingEndpoints } from '../../application/queries/webhook-health.js';
import { eventGaps } from '../../read-models/event-envelopes.js';
import type { WebhookEndpointDoc } from '../../read-models/webhook-endpoints.js';

/** Changes of webhook endpoints by API keys are shown for this long. */
const CHANGED_LATELY_MS = 7 * 86_400_000;
const NAMED = 5;
const FAILING_MS = 300_000;
const MANY_WAIT = 100;
const FAILING_ENDPOINTS = 20;

/** A key that may change endpoints decides where data goes. */
export function changedByKeys(
  { clock }: Pick<App, 'clock'>,
  endpoints: readonly WebhookEndpointDoc[],
): readonly Finding[] {
  const lately = new Date(clock.now() - CHANGED_LATELY_MS).toISOString();
  const byKeys = endpoints.filter(
    ({ changed_by, updated_at }) => changed_by.startsWith('key:') && updated_at >= lately,
  );
  if (byKeys.length === 0) return [];
  const which = byKeys
    .slice(0, NAMED)
    .map(({ endpoint_uuid, changed_by }) => `${endpoint_uuid} by ${changed_by}`);
  return [
    warn(
      'webhooks',
      `API keys created or changed ${byKeys.length} webhook endpoints in the last 7 days: ${which.join(', ')}${
        byKeys.length > NAMED ? ' and more' : ''
      }.`,
      'Check with their owners that the addresses are theirs: recado webhooks show ID. recado keys revoke ends a key.',
    ),
  ];
}

/** Endpoints that have not taken a delivery for a while, or for which many deliveries wait. */
export async function deadEndpoints(app: Pick<App, 'readModels' | 'clock'>): Promise<readonly Finding[]> {
  const before = new Date(app.clock.now() - FAILING_MS).toISOString();
  const dead = (await failingEndpoints(app, FAILING_ENDPOINTS)).filter(
    ({ health, waiting }) => (health.failing_since ?? '') < before || waiting.count >= MANY_WAIT,
  );
  if (dead.length === 0) return [ok('webhooks', 'Every webhook endpoint that was called takes deliveries.')];
  return dead.map(({ health, waiting }) =>
    warn(
      'webhooks',
      `The webhook endpoint ${health.endpoint_uuid} has failed since ${health.failing_since}: ${health.last_failure}. ` +
        `${waiting.count}${waiting.capped ? '+' : ''} deliveries wait for it.`,
      `Tell its owner. Once it answers again: recado webhooks redeliver-failed ${health.endpoint_uuid} delivers what it missed.`,
    ),
  );
}

/** Feeds that end before an event that could not be added. */
export async function feedGaps({ readModels }: Pick<App, 'readModels'>): Promise<readonly Finding[]> {
  const { documents } = await readModels.find(eventGaps.name, {
    index: 'oldest',
    equals: [],
    order: 'asc',
    limit: NAMED,
  });
  if (documents.length === 0) return [ok('events_feed', 'The events feeds show every event.')];
  return documents.map(({ doc }) =>
    warn(
      'events_feed',
      `The events feed of integration ${doc.integration_uuid} waits since ${doc.since} for event ${doc.event_id}: ${doc.reason}`,
      `It is tried again twice a minute. Repair the cause, or leave the event out: recado integrations leave-out ${doc.gap_uuid}.`,
    ),
  );
}
