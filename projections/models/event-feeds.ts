import type { IntegrationEvent } from '../../domain/integration/events.js';
import { integrationStream } from '../../domain/streams.js';
import { eventFeeds as collection, type EventFeedDoc } from '../../read-models/event-feeds.js';
import { defineProjection } from '../projection.js';

type Handled = Extract<
  IntegrationEvent,
  { type: 'EventFeedSwitched' | 'WebhookEndpointAdded' | 'WebhookEndpointRemoved' }
>;

export const eventFeeds = defineProjection<EventFeedDoc, Handled>({
  collection,
  handles: ['EventFeedSwitched', 'WebhookEndpointAdded', 'WebhookEndpointRemoved'],
  documentId: ({ record }) => integrationStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }, uuid) => {
    if (!doc && event.type === 'WebhookEndpointRemoved') return null;
    const before: EventFeedDoc = doc ?? {
      integration_uuid: uuid,
      company_uuid: record.meta.company,
      switched_on: false,
      endpoints: [],
      kept_since: null,
    };
    const after = changed(before, event);
    if (after === null) return doc ?? null;
    const keeps = after.switched_on || after.endpoints.length > 0;
    return { ...after, kept_since: keeps ? (before.kept_since ?? record.position) : null };
  },
});

function changed(doc: EventFeedDoc, event: Handled): EventFeedDoc | null {
  switch (event.type) {
    case 'EventFeedSwitched':
      return { ...doc, switched_on: event.data.on };
    case 'WebhookEndpointAdded':
      return { ...doc, endpoints: [...doc.endpoints, event.data.endpoint_uuid] };
    case 'WebhookEndpointRemoved':
      return { ...doc, endpoints: doc.endpoints.filter((uuid) => uuid !== event.data.endpoint_uuid) };
    default:
      return null;
  }
}
