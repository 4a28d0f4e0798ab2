/** The deliveries of one integration, by what is indexed: endpoint, status, time, and the resource they are about. */
import type { CompanyUuid, ConversationUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { conversationStream, messageStream, orderStream } from '../../domain/streams.js';
import type { IndexValue, StoredDocument } from '../../ports/read-models.js';
import { deliveries, type DeliveryDoc, type DeliveryStatus } from '../../read-models/deliveries.js';
import type { DeliveryAttemptDoc } from '../../read-models/delivery-attempts.js';
import type { App } from '../app.js';
import { webhookEventId } from '../provisioning/webhooks.js';
import { NOTIFIABLE } from '../relay.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import type { Page, PageRequest, QueryDeps } from './page.js';
import { attemptsOf } from './delivery-attempts.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;

/** A resource whose events are delivered. At most one field. */
export interface AboutResource {
  readonly eventId?: string | undefined;
  readonly messageUuid?: string | undefined;
  readonly conversationUuid?: ConversationUuid | undefined;
  readonly orderUuid?: string | undefined;
}

export interface DeliveryFilters extends AboutResource {
  readonly endpointUuid?: string | undefined;
  readonly eventType?: string | undefined;
  readonly status?: string | undefined;
  /** ISO 8601 with milliseconds, in UTC: inclusive. */
  readonly createdFrom?: string | undefined;
  /** Exclusive. */
  readonly createdBefore?: string | undefined;
}

type Deps = QueryDeps & { readonly store: Pick<App['store'], 'read'> };

/** Documents that one page reads at most; a page with filters that no index serves may end before it is full. */
const EXAMINED = 1_000;
const AT_ONCE = 200;
/** Events of one resource, newest first, whose deliveries are found. A message has some ten. */
const EVENTS_OF_RESOURCE = 200;
const DELIVERIES_OF_EVENT = 100;

/**
 * Newest first. With filters that no index serves (the type, the status without an endpoint) a page may hold fewer
 * deliveries than asked for, or none, although more follow.
 * @throws Refusal invalid_cursor; validation_failed for more than one resource
 */
export async function listDeliveries(
  deps: Deps,
  owner: { readonly companyUuid: CompanyUuid; readonly integrationUuid: string },
  filters: DeliveryFilters,
  { after, limit }: PageRequest,
): Promise<Page<DeliveryDoc>> {
  const { integrationUuid, companyUuid } = owner;
  const about = [filters.eventId, filters.messageUuid, filters.conversationUuid, filters.orderUuid];
  if (about.filter((uuid) => uuid !== undefined).length > 1) throw tooMany();
  const { endpointUuid, eventType, status, createdFrom, createdBefore } = filters;
  const more = [endpointUuid, eventType, status, createdFrom, createdBefore];
  const scope = {
    list: 'own-deliveries',
    companyUuid,
    filters: [integrationUuid, ...about, ...more].map((value) => value ?? null),
  };
  let from: readonly IndexValue[] | undefined =
    after !== undefined
      ? decodeCursor(deps.cursorSecret, scope, after)
      : createdBefore === undefined
        ? undefined
        : [createdBefore, ''];
  const accepts = (doc: DeliveryDoc): boolean =>
    doc.integration_uuid === integrationUuid &&
    (endpointUuid === undefined || doc.endpoint_uuid === endpointUuid) &&
    (eventType === undefined || doc.event_type === eventType) &&
    (status === undefined || doc.status === status);

  const next = about.some((uuid) => uuid !== undefined)
    ? inMemory(await aboutResource(deps, filters))
    : inIndex(deps, integrationUuid, endpointUuid, status);
  const documents: DeliveryDoc[] = [];
  for (let examined = 0; ;) {
    const found = await next(from);
    for (const { id, doc } of found) {
      const key = [doc.created_at, id];
      const ended = createdFrom !== undefined && doc.created_at < createdFrom;
      // All deliveries to an endpoint belong to one integration: another one's endpoint is as good as unknown.
      const foreign = endpointUuid !== undefined && doc.integration_uuid !== integrationUuid;
      if (ended || foreign) return { documents, nextCursor: null };
      if (from && documents.length === limit) {
        return { documents, nextCursor: encodeCursor(deps.cursorSecret, scope, from) };
      }
      if (accepts(doc)) documents.push(doc);
      from = key;
    }
    examined += found.length;
    if (found.length < AT_ONCE) return { documents, nextCursor: null };
    if (examined >= EXAMINED && from) {
      return { documents, nextCursor: encodeCursor(deps.cursorSecret, scope, from) };
    }
  }
}

/** Up to AT_ONCE deliveries after a place in the list. */
type NextOf = (after: readonly IndexValue[] | undefined) => Promise<readonly StoredDocument<DeliveryDoc>[]>;

function inIndex(
  { readModels }: Deps,
  integration: string,
  endpoint: string | undefined,
  status: string | undefined,
): NextOf {
  const statuses: readonly string[] = status === undefined ? DELIVERY_STATUSES : [status];
  const ranges =
    endpoint === undefined
      ? [{ index: 'by_integration', equals: [integration] } as const]
      : statuses.map((each) => ({ index: 'by_endpoint_status', equals: [endpoint, each] }) as const);
  return async (after) => {
    const found = await Promise.all(
      ranges.map((range) =>
        readModels.find(deliveries.name, {
          ...range,
          order: 'desc',
          limit: AT_ONCE,
          ...(after ? { after } : {}),
        }),
      ),
    );
    return newestFirst(found.flatMap(({ documents }) => documents)).slice(0, AT_ONCE);
  };
}

function inMemory(all: readonly StoredDocument<DeliveryDoc>[]): NextOf {
  const sorted = newestFirst(all);
  return async (after) => {
    if (!after) return sorted.slice(0, AT_ONCE);
    const [at, id] = after.map(String);
    const start = sorted.findIndex(({ id: own, doc }) => compare([doc.created_at, own], [at, id]) < 0);
    return start < 0 ? [] : sorted.slice(start, start + AT_ONCE);
  };
}

/** The resource's stream names its events, and an index finds the deliveries of each. */
async function aboutResource(
  deps: Deps,
  { eventId, messageUuid, conversationUuid, orderUuid }: AboutResource,
): Promise<readonly StoredDocument<DeliveryDoc>[]> {
  if (eventId !== undefined) return deliveriesOf(deps, [eventId]);
  const stream =
    messageUuid !== undefined
      ? messageStream.toName(messageUuid)
      : conversationUuid !== undefined
        ? conversationStream.toName(conversationUuid)
        : orderStream.toName(orderUuid ?? '');
  const told = (await deps.store.read(stream)).filter(({ type }) => NOTIFIABLE.has(type));
  return deliveriesOf(
    deps,
    told.slice(-EVENTS_OF_RESOURCE).map((record) => webhookEventId(record.eventId)),
  );
}

async function deliveriesOf(
  { readModels }: Deps,
  eventIds: readonly string[],
): Promise<readonly StoredDocument<DeliveryDoc>[]> {
  const found: StoredDocument<DeliveryDoc>[] = [];
  for (const eventId of eventIds) {
    const query = {
      index: 'by_event',
      equals: [eventId],
      order: 'desc',
      limit: DELIVERIES_OF_EVENT,
    } as const;
    found.push(...(await readModels.find(deliveries.name, query)).documents);
  }
  return found;
}

const newestFirst = (
  documents: readonly StoredDocument<DeliveryDoc>[],
): readonly StoredDocument<DeliveryDoc>[] =>
  [...documents].sort((a, b) => compare([b.doc.created_at, b.id], [a.doc.created_at, a.id]));

type SortKey = readonly [at: string | undefined, id: string | undefined];

const compare = ([at = '', id = '']: SortKey, [otherAt = '', otherId = '']: SortKey): number =>
  at === otherAt ? compareText(id, otherId) : compareText(at, otherAt);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * A delivery of this integration with its attempts, oldest first. Another integration's delivery is treated as missing.
 * @throws Refusal not_found
 */
export async function readDelivery(
  { readModels }: Pick<QueryDeps, 'readModels'>,
  id: string,
  integrationUuid: string,
): Promise<{ readonly doc: DeliveryDoc; readonly attempts: readonly DeliveryAttemptDoc[] }> {
  const doc = (await readModels.get(deliveries.name, id))?.doc;
  if (doc?.integration_uuid !== integrationUuid) {
    throw new Refusal(
      'not_found',
      'There is no such delivery of your integration. The log ends some days back.',
      {
        resource: 'delivery',
      },
    );
  }
  return { doc, attempts: await attemptsOf({ readModels }, doc) };
}

/** @throws Refusal delivery_erased */
export function requireBody({ delivery_id, body }: Pick<DeliveryDoc, 'delivery_id' | 'body'>): void {
  if (body !== '') return;
  throw new Refusal(
    'delivery_erased',
    'The person this event was about was erased, and what was sent with it. It can not be sent again.',
    { delivery_id },
  );
}

/** Deliveries that are counted for an endpoint: beyond this number it does not matter how many they are. */
const COUNTED = 1_000;

export interface CappedCount {
  readonly count: number;
  /** There are more. */
  readonly capped: boolean;
}

/** The deliveries to an endpoint in one status. */
export async function countDeliveries(
  { readModels }: Pick<QueryDeps, 'readModels'>,
  endpointUuid: string,
  status: DeliveryStatus,
): Promise<CappedCount> {
  const count = await readModels.count(
    deliveries.name,
    'by_endpoint_status',
    [endpointUuid, status],
    COUNTED + 1,
  );
  return { count: Math.min(count, COUNTED), capped: count > COUNTED };
}

const tooMany = (): Refusal => {
  const message =
    'Name one of event_id, message_uuid, conversation_uuid and order_uuid: no index serves two of them.';
  return new Refusal('validation_failed', message, {
    fields: [{ path: 'query', code: 'too_many_filters', message }],
  });
};
