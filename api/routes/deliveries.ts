import type { App } from '../../application/app.js';
import {
  listDeliveries,
  readDelivery,
  requireBody,
  type DeliveryFilters,
} from '../../application/queries/deliveries.js';
import type { QueryDeps } from '../../application/queries/page.js';
import { presentDelivery, presentOwnDelivery } from '../../application/resources/delivery.js';
import { notFound } from '../../application/provisioning/common.js';
import { requireEndpointOf } from '../../application/provisioning/webhooks.js';
import type { ApiCaller } from '../middleware/api-key.js';
import { pathParam, queryText, type Call, type Handlers } from '../middleware/call.js';
import { queryTimes } from '../middleware/query-time.js';
import { list, one, pageOf } from './replies.js';

/** Creates a new delivery with the bytes of a past one; undefined when there is no such delivery. */
export type Redeliver = (deliveryId: string) => Promise<{ readonly delivery_id: string } | undefined>;

export function deliveryRoutes(
  { store, executor }: Pick<App, 'store' | 'executor'>,
  queries: QueryDeps,
  redeliver: Redeliver,
): Handlers<ApiCaller> {
  const read = ({ params, caller }: Call<ApiCaller>) =>
    readDelivery(queries, pathParam(params, 'delivery_id').toLowerCase(), caller.integration);
  return {
    listDeliveries: async (call) => {
      const { company: companyUuid, integration: integrationUuid } = call.caller;
      const owner = { companyUuid, integrationUuid };
      const page = await listDeliveries({ ...queries, store }, owner, filtersOf(call), pageOf(call));
      return list(page, presentDelivery);
    },

    getDelivery: async (call) => {
      const { doc, attempts } = await read(call);
      return one(presentOwnDelivery(doc, attempts));
    },

    redeliverDelivery: async (call) => {
      const { doc } = await read(call);
      requireBody(doc);
      await requireEndpointOf({ executor }, doc);
      const made = await redeliver(doc.delivery_id);
      if (!made) throw notFound('delivery', 'delivery');
      return { status: 202, body: { data: { delivery_id: made.delivery_id } } };
    },
  };
}

/** Uuids arrive as the caller wrote them; documents contain them in lower case. */
function filtersOf({ query }: Call<ApiCaller>): DeliveryFilters {
  const created = queryTimes(query, ['created_from', 'created_before']);
  const uuid = (name: string): string | undefined => queryText(query, name)?.toLowerCase();
  return {
    endpointUuid: uuid('endpoint_uuid'),
    eventType: queryText(query, 'event_type'),
    status: queryText(query, 'status'),
    eventId: uuid('event_id'),
    messageUuid: uuid('message_uuid'),
    conversationUuid: uuid('conversation_uuid'),
    orderUuid: uuid('order_uuid'),
    createdFrom: created.from,
    createdBefore: created.to,
  };
}
