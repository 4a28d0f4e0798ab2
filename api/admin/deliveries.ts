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
import { notFound } from '../../application/provisioning/common.js';
import { pathParam, queryText, type Call } from '../middleware/call.js';
import type { Redeliver } from '../routes/deliveries.js';
import { list, one } from '../routes/replies.js';
import { accepted, countedPageOf, readDocument, uuidParameter, type AdminHandlers } from './support.js';
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
  const integration = uuidParameter(call, 'integration');
  const endpoint = uuidParameter(call, 'endpoint');
  const status = queryText(call.query, 'status');
  const scope = {
    list: 'deliveries',
    companyUuid: '',
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
        (endpoint === undefined || doc.endpoint_uuid === endpoint) &&
        (status === undefined || doc.status === status),
      ({ id, doc }) => [doc.created_at, id],
    );
  }
  const statuses = status === undefined ? DELIVERY_STATUSES : [status];
  const ranges = statuses.map((each) =>
    endpoint === undefined
      ? ({ index: 'by_status', equals: [each] } as const)
      : ({ index: 'by_endpoint_status', equals: [endpoint, each] } as const),
  );
  return readMergedPage(queries, deliveries.name, ranges, scope, countedPageOf(call));
}
