import { DELIVERY_STATUSES, requireBody } from '../../application/queries/deliveries.js';
import {
  readFilteredPage,
  readMergedPage,
  type Page,
  type QueryDeps,
} from '../../application/queries/page.js';
import {
  presentAttempt,
  presentDelivery,
  type DeliverySource,
} from '../../application/resources/delivery.js';
import { deliveries } from '../../read-models/deliveries.js';
import { webhookEndpoints } from '../../read-models/webhook-endpoints.js';
import { notFound } from '../../application/provisioning/common.js';
import { pathParam, queryText, type Call } from '../middleware/call.js';
import type { Redeliver } from '../routes/deliveries.js';
import { list, one } from '../routes/replies.js';
import {
  accepted,
  countedPageOf,
  readAll,
  readDocument,
  uuidParameter,
  type AdminHandlers,
} from './support.js';
import { attemptsOf } from '../../application/queries/delivery-attempts.js';

export function deliveryRoutes(queries: QueryDeps, redeliver: Redeliver): AdminHandlers {
  const { readModels } = queries;
  const deliveryOf = (call: Call): Promise<DeliverySource> =>
    readDocument(readModels, deliveries.name, pathParam(call.params, 'delivery_id'), 'delivery');

  return {
    listDeliveries: async (call) => list(await deliveriesPage(queries, call), presentDelivery),

    getDelivery: async (call) => {
      const doc = await deliveryOf(call);
      const attempts = await attemptsOf(queries, doc.delivery_id);
      return one({ ...presentDelivery(doc), attempts: attempts.map(presentAttempt) });
    },

    redeliver: async (call) => {
      const doc = await deliveryOf(call);
      requireBody(doc);
      const made = await redeliver(doc.delivery_id);
      if (!made) throw notFound('delivery', 'delivery');
      return accepted({ delivery_id: made.delivery_id });
    },
  };
}

/** Newest first, by the index that fits the filters. */
async function deliveriesPage(queries: QueryDeps, call: Call): Promise<Page<DeliverySource>> {
  const company = uuidParameter(call, 'company');
  const integration = uuidParameter(call, 'integration');
  const endpoint = uuidParameter(call, 'endpoint');
  const status = queryText(call.query, 'status');
  const scope = {
    list: 'deliveries',
    companyUuid: company ?? '',
    filters: [integration ?? null, endpoint ?? null, status ?? null],
  };
  if (integration !== undefined) {
    return readFilteredPage(
      queries,
      deliveries.name,
      { index: 'by_integration', equals: [integration], order: 'desc' },
      scope,
      countedPageOf(call),
      (doc) =>
        (company === undefined || doc.company_uuid === company) &&
        (endpoint === undefined || doc.endpoint_uuid === endpoint) &&
        (status === undefined || doc.status === status),
      ({ id, doc }) => [doc.created_at, id],
    );
  }
  const statuses = status === undefined ? DELIVERY_STATUSES : [status];
  const endpoints = await endpointsOf(queries, company, endpoint);
  const ranges =
    endpoints === null
      ? statuses.map((each) => ({ index: 'by_status', equals: [each] }) as const)
      : endpoints.flatMap((one) =>
          statuses.map((each) => ({ index: 'by_endpoint_status', equals: [one, each] }) as const),
        );
  return readMergedPage(queries, deliveries.name, ranges, scope, countedPageOf(call));
}

/** The endpoints whose deliveries are asked for; null: all. A company has few, and deliveries have no index by it. */
async function endpointsOf(
  { readModels }: QueryDeps,
  company: string | undefined,
  endpoint: string | undefined,
): Promise<readonly string[] | null> {
  if (company === undefined) return endpoint === undefined ? null : [endpoint];
  const own = await readAll(readModels, webhookEndpoints.name, 'by_company', [company]);
  const uuids = own.map(({ endpoint_uuid }) => endpoint_uuid);
  return endpoint === undefined ? uuids : uuids.filter((uuid) => uuid === endpoint);
}
