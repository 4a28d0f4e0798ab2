import {
  readFilteredPage,
  readMergedPage,
  type Page,
  type QueryDeps,
} from '../../application/queries/page.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { deliveries, type DeliveryDoc } from '../../read-models/deliveries.js';
import { deliveryAttempts, type DeliveryAttemptDoc } from '../../read-models/delivery-attempts.js';
import { notFound } from '../../application/provisioning/common.js';
import { pathParam, queryText, type Call } from '../middleware/call.js';
import { list, one } from '../routes/replies.js';
import {
  accepted,
  countedPageOf,
  readAll,
  readDocument,
  uuidParameter,
  type AdminHandlers,
} from './support.js';

/** Creates a new delivery with the bytes of a past one; undefined when there is no such delivery. */
export type Redeliver = (deliveryId: string) => Promise<{ readonly delivery_id: string } | undefined>;

/** The fields of the webhook worker's documents that are presented. */
type DeliverySource = Pick<
  DeliveryDoc,
  | 'delivery_id'
  | 'event_id'
  | 'event_type'
  | 'integration_uuid'
  | 'endpoint_uuid'
  | 'status'
  | 'body'
  | 'attempts'
  | 'last_status'
  | 'last_error'
  | 'next_attempt_at'
  | 'created_at'
  | 'updated_at'
>;

type AttemptSource = Pick<
  DeliveryAttemptDoc,
  | 'number'
  | 'trigger'
  | 'url'
  | 'address'
  | 'at'
  | 'duration_ms'
  | 'status'
  | 'failure'
  | 'response_body'
  | 'next_attempt_at'
>;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;

const ERROR_CLASS = 64;
const BODY = 16_384;

const present = (doc: DeliverySource) => ({
  id: doc.delivery_id,
  event_id: doc.event_id,
  event_type: doc.event_type,
  integration_uuid: doc.integration_uuid,
  endpoint_uuid: doc.endpoint_uuid,
  status: doc.status,
  attempt_count: doc.attempts,
  last_status_code: doc.last_status,
  // The class of the failure precedes the colon; its details are stored with the attempt.
  last_error: doc.last_error?.replace(/:.*/s, '').slice(0, ERROR_CLASS) ?? null,
  next_attempt_at: doc.next_attempt_at,
  created_at: doc.created_at,
  completed_at: doc.status === 'pending' ? null : doc.updated_at,
});

const presentAttempt = (doc: AttemptSource) => ({
  number: doc.number,
  trigger: doc.trigger,
  url: doc.url,
  remote_ip: doc.address,
  started_at: doc.at,
  duration_ms: Math.round(doc.duration_ms),
  status_code: doc.status,
  error: doc.failure,
  response_body: doc.response_body.slice(0, BODY),
  next_attempt_at: doc.next_attempt_at,
});

export function deliveryRoutes(queries: QueryDeps, redeliver: Redeliver): AdminHandlers {
  const { readModels } = queries;
  const deliveryOf = (call: Call): Promise<DeliverySource> =>
    readDocument(readModels, deliveries.name, pathParam(call.params, 'delivery_id'), 'delivery');

  return {
    listDeliveries: async (call) => list(await deliveriesPage(queries, call), present),

    getDelivery: async (call) => {
      const doc = await deliveryOf(call);
      const attempts = await readAll(readModels, deliveryAttempts.name, 'by_delivery', [doc.delivery_id]);
      return one({ ...present(doc), attempts: attempts.map(presentAttempt) });
    },

    redeliver: async (call) => {
      const doc = await deliveryOf(call);
      if (doc.body === '') {
        throw new Refusal(
          'delivery_erased',
          'The person this event was about was erased, and what was sent with it. It can not be sent again.',
          { delivery_id: doc.delivery_id },
        );
      }
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
