/** The health of webhook endpoints, with the deliveries that wait for them. */
import { webhookHealth, type WebhookHealthDoc } from '../../read-models/webhook-health.js';
import { webhookEndpoints } from '../../read-models/webhook-endpoints.js';
import type { ReadModels } from '../../ports/read-models.js';
import { countDeliveries, type CappedCount } from './deliveries.js';

export interface EndpointHealth {
  /** Undefined before the first attempt. */
  readonly recorded: WebhookHealthDoc | undefined;
  /** Deliveries that are pending, or cancelled while the endpoint was paused. */
  readonly waiting: CappedCount;
}

type Deps = { readonly readModels: ReadModels };

export async function readHealth(
  deps: Deps,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, EndpointHealth>> {
  const stored = await deps.readModels.getMany(webhookHealth.name, uuids);
  const recorded = new Map(stored.map(({ id, doc }) => [id, doc]));
  const counted = uuids.map(
    async (uuid) => [uuid, { recorded: recorded.get(uuid), waiting: await waitingFor(deps, uuid) }] as const,
  );
  return new Map(await Promise.all(counted));
}

async function waitingFor(deps: Deps, uuid: string): Promise<CappedCount> {
  const [pending, cancelled] = await Promise.all([
    countDeliveries(deps, uuid, 'pending'),
    countDeliveries(deps, uuid, 'cancelled'),
  ]);
  return { count: pending.count + cancelled.count, capped: pending.capped || cancelled.capped };
}

export interface FailingEndpoint {
  readonly health: WebhookHealthDoc;
  readonly waiting: CappedCount;
}

/** Endpoints that are enabled and whose last attempt failed, the longest failing first. */
export async function failingEndpoints(deps: Deps, limit: number): Promise<readonly FailingEndpoint[]> {
  const { documents } = await deps.readModels.find(webhookHealth.name, {
    index: 'by_state',
    equals: [1],
    order: 'asc',
    limit,
  });
  const ids = documents.map(({ id }) => id);
  const there = await deps.readModels.getMany(webhookEndpoints.name, ids);
  const enabled = new Set(there.filter(({ doc }) => doc.enabled).map(({ id }) => id));
  return Promise.all(
    documents
      .filter(({ id }) => enabled.has(id))
      .map(async ({ id, doc }) => ({ health: doc, waiting: await waitingFor(deps, id) })),
  );
}
