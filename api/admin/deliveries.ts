import { DELIVERY_STATUSES, listDeliveries, requireBody } from '../../application/queries/deliveries.js';
import {
  readFilteredPage,
  readMergedPage,
  type Page,
  type QueryDeps,
} from '../../application/queries/page.js';
import {
  presentDelivery,
  presentOwnDelivery,
  type DeliverySource,
} from '../../application/resources/delivery.js';
import { deliveries, type DeliveryDoc } from '../../read-models/deliveries.js';
import { integrations } from '../../read-models/integrations.js';
import { webhookEndpoints } from '../../read-models/webhook-endpoints.js';
import { notFound } from '../../application/provisioning/common.js';
import { requireEndpointOf } from '../../application/provisioning/webhooks.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { App } from '../../application/app.js';
import { pathParam, queryText, type Call } from '../middleware/call.js';
import { queryTimes } from '../middleware/query-time.js';
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

type Deps = QueryDeps & Pick<App, 'store' | 'executor'>;

export function deliveryRoutes(queries: Deps, redeliver: Redeliver): AdminHandlers {
  const { readModels } = queries;
  const deliveryOf = (call: Call): Promise<DeliveryDoc> =>
    readDocument(readModels, deliveries.name, pathParam(call.params, 'delivery_id'), 'delivery');

  return {
    listDeliveries: async (call) => list(await deliveriesPage(queries, call), presentDelivery),

    getDelivery: async (call) => {
      const doc = await deliveryOf(call);
      const attempts = await attemptsOf(queries, doc);
      const { body, ...shown } = presentOwnDelivery(doc, attempts);
      // What it says is personal data: only for who asks for it.
      return one(call.query['body'] === true ? { ...shown, body } : shown);
    },

    redeliver: async (call) => {
      const doc = await deliveryOf(call);
      requireBody(doc);
      await requireEndpointOf(queries, doc);
      const made = await redeliver(doc.delivery_id);
      if (!made) throw notFound('delivery', 'delivery');
      return accepted({ delivery_id: made.delivery_id });
    },
  };
}

/** Newest first, by the index that fits the filters. */
async function deliveriesPage(queries: Deps, call: Call): Promise<Page<DeliverySource>> {
  const company = uuidParameter(call, 'company');
  const integration = uuidParameter(call, 'integration');
  const endpoint = uuidParameter(call, 'endpoint');
  const status = queryText(call.query, 'status');
  const created = queryTimes(call.query, ['created_from', 'created_before']);
  const more = {
    eventType: queryText(call.query, 'event_type'),
    createdFrom: created.from,
    createdBefore: created.to,
  };
  const [needing] = Object.entries(more).filter(([, value]) => value !== undefined);
  if (needing !== undefined) {
    if (integration === undefined) throw needsIntegration();
    const found = await queries.readModels.get(integrations.name, integration);
    const companyUuid = found?.doc.company_uuid ?? '';
    if (company !== undefined && companyUuid !== company) throw notFound('integration', 'integration');
    const owner = { companyUuid, integrationUuid: integration };
    return listDeliveries(queries, owner, { ...more, endpointUuid: endpoint, status }, countedPageOf(call));
  }
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

const needsIntegration = (): Refusal =>
  new Refusal('validation_failed', 'Filters by type or time need an integration.', {
    fields: [
      {
        path: 'query.integration',
        code: 'filters_not_combined',
        message: 'Name it beside a type or a time.',
      },
    ],
  });
