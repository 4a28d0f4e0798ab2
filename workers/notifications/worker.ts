/**
 * Creates webhook deliveries from recorded events: one envelope per event and integration, serialised once, then one
 * delivery per endpoint. Repeating an event creates the same deliveries again, which changes nothing.
 */
import type { App } from '../../application/app.js';
import type { RecordedEvent } from '../../application/codec.js';
import { webhookEventId } from '../../application/provisioning/webhooks.js';
import { routes, type EventPointer } from '../../application/relay.js';
import { integrationStream } from '../../domain/streams.js';
import type { OpenBatch } from '../../ports/topics.js';
import { webhookEndpoints } from '../../read-models/webhook-endpoints.js';
import type { KeepEnvelope, KeptEnvelope, EnvelopeDeps } from '../event-feed/book.js';
import { handled, skipped, type Outcome } from '../kernel/consumer.js';
import type { Reactor } from '../kernel/reactor.js';
import { createEndpointLookup, type EndpointRow, type EndpointsOf } from './endpoints.js';
import { LeftOut } from './envelope.js';
import { webhookTypeOf, type NotifiableEvent, type WebhookEventType } from './event-kind.js';
import { deliveryOrder, historyUpTo, type DeliveryOrder } from './delivery-order.js';

const MAX_TRIES = 12;

export interface NotificationNeeds {
  /** Makes the body of an event for an integration, once. */
  readonly keepEnvelope: KeepEnvelope;
  readonly enqueue: (deliveries: readonly DeliveryOrder[], open?: OpenBatch) => Promise<void>;
  /** Schedules the deliveries that were cancelled while an endpoint was disabled. */
  readonly catchUp: (endpoint: {
    readonly endpointUuid: string;
    readonly integrationUuid: string;
    readonly eventId: string;
  }) => Promise<unknown>;
}

export const notificationReactor: Reactor<NotificationNeeds> = {
  name: 'notifications',
  group: 'notifications',
  route: routes.notifications,
  maxTries: MAX_TRIES,
  maxBatch: 200,
  begin(app, needs) {
    const endpointsOf = createEndpointLookup(app.readModels);
    return {
      async react(pointer, _tries, open) {
        try {
          return await notify(app, needs, endpointsOf, pointer, open);
        } catch (error) {
          if (error instanceof LeftOut) return { kind: 'park', reason: error.message };
          throw error;
        }
      },
    };
  },
};

async function notify(
  app: EnvelopeDeps & Pick<App, 'codec' | 'deliveriesNearAfter'>,
  { keepEnvelope, enqueue, catchUp }: NotificationNeeds,
  endpointsOf: EndpointsOf,
  pointer: EventPointer,
  open: OpenBatch | undefined,
): Promise<Outcome> {
  // An endpoint that the read model does not contain yet must not be missed.
  await app.barrier.wait([webhookEndpoints.name], pointer.position);
  const { endpoints } = await app.barrier.remembered(
    webhookEndpoints.name,
    `of ${pointer.company}`,
    async () => ({ endpoints: await endpointsOf(pointer.company) }),
  );
  // Most companies have endpoints; for those without, nothing needs to be read.
  if (endpoints.length === 0) return skipped;
  const history = await historyUpTo(app, pointer);
  const recorded = history?.at(-1);
  if (!history || !recorded) return skipped;
  if (recorded.event.type === 'WebhookEndpointChanged') {
    const { endpoint_uuid: endpointUuid, enabled } = recorded.event.data;
    const integrationUuid = integrationStream.match(pointer.stream);
    if (enabled && integrationUuid !== undefined)
      await catchUp({ endpointUuid, integrationUuid, eventId: pointer.event_id });
    return handled;
  }
  const type = webhookTypeOf(history);
  if (type === null) return skipped;
  const listeners = endpoints.filter((endpoint) => listens(endpoint, type, recorded));
  if (listeners.length === 0) return skipped;

  const eventId = webhookEventId(pointer.event_id);
  const byIntegration = new Map<string, Promise<KeptEnvelope | null>>();
  const orders = await Promise.all(
    listeners.map(async (endpoint): Promise<DeliveryOrder | null> => {
      const { integration_uuid } = endpoint;
      let made = byIntegration.get(integration_uuid);
      if (!made) {
        const input = { eventId, type, history, integrationUuid: integration_uuid };
        // Nobody handled a message of an open batch before: its envelope is written without a look.
        made = keepEnvelope(app, input, open !== undefined);
        byIntegration.set(integration_uuid, made);
      }
      const kept = await made;
      // A message that comes again after the person was erased: receivers have the body that it had, or get none.
      if (!kept || kept.erased) return null;
      return deliveryOrder(app, endpoint, type, history, kept.envelope);
    }),
  );
  // No delivery is claimed before its envelope is durable.
  const durable = Promise.all([...byIntegration.values()].map(async (made) => (await made)?.durable));
  const wanted = orders.filter((order) => order !== null);
  if (open) await durable;
  // Without an open batch both are written: in one commit where both are one store, which commits in order.
  await Promise.all([enqueue(wanted, open), durable]);
  return handled;
}

/**
 * A disabled endpoint still gets deliveries: they are cancelled when they come due, and can be caught up once it is
 * enabled again.
 */
function listens(
  endpoint: EndpointRow,
  type: WebhookEventType,
  recorded: RecordedEvent<NotifiableEvent>,
): boolean {
  const { event } = recorded;
  if (event.type === 'WebhookTestRequested') return event.data.endpoint_uuid === endpoint.endpoint_uuid;
  return endpoint.event_types === null || endpoint.event_types.includes(type);
}
