/**
 * Deliveries that were cancelled while an endpoint was disabled resume when it is enabled again. There may be a million
 * of them, so this is a job of its own: it delays no topic, and another process can continue it.
 */
import type { App } from '../../application/app.js';
import type { DocumentWrite, ReadModels, StoredDocument } from '../../ports/read-models.js';
import { deliveries, type DeliveryDoc, type DeliveryStatus } from '../../read-models/deliveries.js';
import { handled } from '../kernel/consumer.js';
import { startJobs } from '../kernel/jobs.js';
import { nextVersion } from './documents.js';
import type { EndpointDirectory } from './endpoints.js';
import { deliveryRow } from './enqueue.js';

export const CATCH_UPS = 'webhook-catch-up';

/** An endpoint that was enabled, with the event that did so. */
export interface EnabledEndpoint {
  readonly endpointUuid: string;
  readonly integrationUuid: string;
  /** Id of the event that enabled it: each such event is caught up once. */
  readonly eventId: string;
}

export interface CatchUps {
  add(endpoint: EnabledEndpoint): Promise<void>;
  stop(): Promise<void>;
}

type CatchUpDeps = Pick<App, 'dueTimes' | 'readModels' | 'clock'>;

const PAGE = 200;
/** Fits well within the claim of a row, and within the time that a stop may take. */
const PAGES_AT_ONCE = 10;
const LEASE_MS = 120_000;

export function startCatchUps(
  app: CatchUpDeps & Pick<App, 'logger'>,
  endpoints: Pick<EndpointDirectory, 'get'>,
): CatchUps {
  const jobs = startJobs(app, {
    queue: CATCH_UPS,
    concurrency: 2,
    perLane: 1,
    leaseMs: LEASE_MS,
    // Integrators are owed these deliveries, so they are never given up.
    maxTries: Infinity,
    giveUp: () => Promise.resolve(),
    async handle({ endpoint_uuid, integration_uuid }) {
      const endpointUuid = String(endpoint_uuid);
      const endpoint = await endpoints.get(endpointUuid, String(integration_uuid));
      // Removed, or disabled again: due deliveries would only be cancelled once more. Enabling it later is another
      // event.
      if (!endpoint?.enabled) return handled;
      const { more } = await catchUp(app, endpointUuid, PAGES_AT_ONCE);
      return more ? { kind: 'later', delayMs: 0, reason: 'more deliveries follow' } : handled;
    },
  });
  return {
    add: ({ endpointUuid, integrationUuid, eventId }) =>
      jobs.add(endpointUuid, eventId, { endpoint_uuid: endpointUuid, integration_uuid: integrationUuid }),
    stop: () => jobs.stop(),
  };
}

/**
 * Resumes cancelled deliveries, oldest first, under the same delivery ids. Then makes the missing rows of pending
 * deliveries that a crash left without one. Returns how many were resumed, and whether cancelled ones remain after
 * `pages` pages.
 */
export async function catchUp(
  deps: CatchUpDeps,
  endpointUuid: string,
  pages = Infinity,
): Promise<{ readonly taken: number; readonly more: boolean }> {
  let taken = 0;
  const more = await eachPage(deps, endpointUuid, 'cancelled', pages, async (page) => {
    const now = deps.clock.now();
    const at = new Date(now).toISOString();
    const writes = page.map(
      ({ id, doc, version }): DocumentWrite<DeliveryDoc> & { readonly doc: DeliveryDoc } => ({
        id,
        doc: { ...doc, status: 'pending', updated_at: at, next_attempt_at: at, last_error: null },
        version: nextVersion(version),
      }),
    );
    await deps.readModels.write(deliveries.name, writes);
    await deps.dueTimes.schedule(writes.map(({ doc }) => deliveryRow(doc, now)));
    taken += page.length;
  });
  if (more) return { taken, more };
  await eachPage(deps, endpointUuid, 'pending', Infinity, async (page) => {
    await deps.dueTimes.schedule(
      page.map(({ doc }) => deliveryRow(doc, Date.parse(doc.next_attempt_at ?? doc.created_at))),
    );
  });
  return { taken, more };
}

/** Returns true when there are more pages than `pages`. */
async function eachPage(
  deps: CatchUpDeps,
  endpointUuid: string,
  status: DeliveryStatus,
  pages: number,
  handle: (page: readonly StoredDocument<DeliveryDoc>[]) => Promise<void>,
): Promise<boolean> {
  let after: Parameters<ReadModels['find']>[1]['after'];
  for (let left = pages; left > 0; left -= 1) {
    const page = await deps.readModels.find(deliveries.name, {
      index: 'by_endpoint_status',
      equals: [endpointUuid, status],
      order: 'asc',
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    if (page.documents.length > 0) await handle(page.documents);
    if (page.next === null) return false;
    after = page.next;
  }
  return true;
}
