/**
 * Sends the events between two positions of the history to one endpoint, again or for the first time. Receivers
 * recognise an event by its id, which does not change.
 */
import type { App } from '../../application/app.js';
import { envelopeIdIn, ERASED } from '../../application/event-feed/envelopes.js';
import { readHistory } from '../../application/history/read.js';
import { webhookEventId } from '../../application/provisioning/webhooks.js';
import { NOTIFIABLE, NOTIFICATIONS, relay } from '../../application/relay.js';
import { deliveryIdIn, nextDeliveryId } from '../../application/webhooks/delivery-ids.js';
import type { Position, StoredRecord } from '../../ports/event-store.js';
import { contacts } from '../../read-models/contacts.js';
import { eventEnvelopes } from '../../read-models/event-envelopes.js';
import { upTo } from '../kernel/up-to.js';
import type { EndpointRow } from './endpoints.js';
import { envelopeFor, LeftOut, type Envelope } from './envelope.js';
import { webhookTypeOf, type WebhookEventType } from './event-kind.js';
import { deliveryOrder, historyUpTo, type DeliveryOrder, type History } from './delivery-order.js';

export interface ReplayRequest {
  readonly endpoint: EndpointRow;
  /** Exclusive. */
  readonly after: Position;
  /** Inclusive. */
  readonly upTo: Position;
  /** Repeating a piece with the same uuid creates its deliveries only once. */
  readonly replayUuid: string;
  /** False: only count. */
  readonly deliver: boolean;
  /**
   * For an endpoint that was just created: makes the deliveries that it would have had, under their own ids. So an event
   * that also reaches it in the usual way is delivered once.
   */
  readonly asUsual?: boolean;
  /** Most deliveries of this piece. Left out: some hundred. */
  readonly limit?: number;
}

export interface Replayed {
  /** Position up to which the history was read. */
  readonly position: Position;
  /** Events without a recorded delivery to this endpoint (`first`), and events with one (`again`). */
  readonly first: number;
  readonly again: number;
  /** Events whose ordinary delivery is still pending; they are not sent twice. */
  readonly pending: number;
  /** Events of erased people, or of documents that an operator's skip left out. */
  readonly leftOut: number;
}

export interface ReplayDeps {
  readonly app: Pick<
    App,
    | 'barrier'
    | 'codec'
    | 'deliveriesNearAfter'
    | 'envelopesOrderedAfter'
    | 'executor'
    | 'isSkipped'
    | 'mediaLinks'
    | 'project'
    | 'publicUrl'
    | 'readModels'
    | 'store'
  >;
  /** The recorded deliveries among these ids. */
  readonly known: (ids: readonly string[]) => Promise<ReadonlyMap<string, KnownDelivery>>;
  readonly enqueue: (deliveries: readonly DeliveryOrder[]) => Promise<void>;
}

export interface KnownDelivery {
  readonly status: string;
  /** Empty when the person was erased. */
  readonly body: string;
}

/** Approximate events per piece, and pages of the history read to find them, so that a request ends soon. */
const EVENTS = 200;
const PAGES = 10;

/** Replays one piece: to replay everything, the caller repeats until the position is the end. */
export async function replayWebhooks(deps: ReplayDeps, request: ReplayRequest): Promise<Replayed> {
  const { app } = deps;
  const { endpoint, after, upTo: end, limit = Infinity } = request;
  const filter = { types: NOTIFIABLE, company: endpoint.company_uuid };
  let result: Replayed = { position: after, first: 0, again: 0, pending: 0, leftOut: 0 };
  let pages = 0;
  let events = 0;
  const room = (): number => limit - result.first - result.again;
  for await (const { records, position } of readHistory(app.store, { after, upTo: end }, filter)) {
    let told = records.filter(isTold);
    while (told.length > 0 && room() > 0) {
      const some = told.slice(0, room());
      told = told.slice(some.length);
      events += some.length;
      const piece = await replayPage(deps, request, some);
      result = {
        position: some.at(-1)?.position ?? result.position,
        first: result.first + piece.first,
        again: result.again + piece.again,
        pending: result.pending + piece.pending,
        leftOut: result.leftOut + piece.leftOut,
      };
    }
    if (told.length === 0) result = { ...result, position };
    pages += 1;
    if (events >= EVENTS || room() <= 0 || pages >= PAGES) break;
  }
  return result;
}

/** Events that the relay sends to the notifications topic, except those about endpoints themselves. */
const isTold = (record: StoredRecord): boolean =>
  !record.type.startsWith('Webhook') && relay(record).some(({ topic }) => topic === NOTIFICATIONS);

async function replayPage(
  { app, known, enqueue }: ReplayDeps,
  { endpoint, replayUuid, deliver, asUsual = false }: ReplayRequest,
  records: readonly StoredRecord[],
): Promise<Omit<Replayed, 'position'>> {
  const counts = { first: 0, again: 0, pending: 0, leftOut: 0 };
  const wanted: { readonly history: History; readonly type: WebhookEventType; readonly id: string }[] = [];
  for (const record of records) {
    const history = await historyUpTo(app, { ...record, event_id: record.eventId });
    const type = history && webhookTypeOf(history);
    if (!history || type === null) continue;
    if (endpoint.event_types !== null && !endpoint.event_types.includes(type)) continue;
    const event = { eventId: webhookEventId(record.eventId), position: record.position };
    const id = deliveryIdIn(app, event, endpoint.endpoint_uuid);
    wanted.push({ history, type, id });
  }
  const before = await known(wanted.map(({ id }) => id));
  const orders: DeliveryOrder[] = [];
  for (const { history, type, id } of wanted) {
    const delivery = before.get(id);
    if (delivery && (asUsual || delivery.status === 'pending')) {
      counts.pending += 1;
      continue;
    }
    const order = delivery?.body === '' ? null : await orderOf(app, endpoint, type, history, delivery);
    if (order === null) {
      counts.leftOut += 1;
      continue;
    }
    counts[delivery ? 'again' : 'first'] += 1;
    orders.push({
      ...order,
      deliveryId: asUsual
        ? id
        : nextDeliveryId({ eventId: order.eventId, deliveryId: id }, 'replay', replayUuid),
    });
  }
  if (deliver && orders.length > 0) await enqueue(orders);
  return counts;
}

/**
 * Reuses the bytes of an earlier delivery, or of the envelope that the events feed keeps, if there are any: a receiver
 * may compare them. Null when there is nothing to send.
 */
async function orderOf(
  app: ReplayDeps['app'],
  endpoint: EndpointRow,
  type: WebhookEventType,
  history: History,
  before: KnownDelivery | undefined,
): Promise<DeliveryOrder | null> {
  if (before) return deliveryOrder(app, endpoint, type, history, { body: before.body, contactUuid: null });
  const known = await keptEnvelope(app, endpoint, history);
  if (known === 'erased') return null;
  if (known) return deliveryOrder(app, endpoint, type, history, known);
  const { eventId, position } = history.at(-1)!.record;
  const input = {
    eventId: webhookEventId(eventId),
    type,
    history,
    integrationUuid: endpoint.integration_uuid,
  };
  try {
    const envelope = await envelopeFor(upTo(app, position), input);
    if (envelope === null || (await isErased(app, envelope.contactUuid))) return null;
    return deliveryOrder(app, endpoint, type, history, envelope);
  } catch (error) {
    if (error instanceof LeftOut) return null;
    throw error;
  }
}

/** As the events feed shows it, and as other endpoints of the integration got it. */
async function keptEnvelope(
  app: ReplayDeps['app'],
  { integration_uuid }: EndpointRow,
  history: History,
): Promise<Envelope | 'erased' | null> {
  const last = history.at(-1);
  if (!last) return null;
  const { eventId, position } = last.record;
  const id = envelopeIdIn(app, { eventId: webhookEventId(eventId), position }, integration_uuid);
  const kept = await app.readModels.get(eventEnvelopes.name, id);
  if (kept && kept.version >= ERASED) return 'erased';
  const body = kept?.doc.body ?? null;
  return body === null ? null : { body, contactUuid: null };
}

async function isErased(app: Pick<App, 'readModels'>, contactUuid: string | null): Promise<boolean> {
  if (contactUuid === null) return false;
  const stored = await app.readModels.get(contacts.name, contactUuid);
  return stored !== undefined && stored.doc.erased_at !== null;
}
