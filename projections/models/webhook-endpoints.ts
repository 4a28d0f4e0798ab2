import type { IntegrationEvent } from '../../domain/integration/events.js';
import { integrationStream } from '../../domain/streams.js';
import {
  webhookEndpoints as collection,
  type WebhookEndpointDoc,
} from '../../read-models/webhook-endpoints.js';
import { defineProjection } from '../projection.js';

type Handled = Extract<
  IntegrationEvent,
  {
    type:
      | 'WebhookEndpointAdded'
      | 'WebhookEndpointChanged'
      | 'WebhookEndpointDisabled'
      | 'WebhookEndpointRemoved';
  }
>;

export const webhookEndpoints = defineProjection<WebhookEndpointDoc, Handled>({
  collection,
  handles: [
    'WebhookEndpointAdded',
    'WebhookEndpointChanged',
    'WebhookEndpointDisabled',
    'WebhookEndpointRemoved',
  ],
  documentId: ({ event }) => event.data.endpoint_uuid,
  evolve: (doc, { event, record }) => {
    const { occurred_at: at, actor } = record.meta;
    switch (event.type) {
      case 'WebhookEndpointAdded':
      case 'WebhookEndpointChanged':
        return {
          endpoint_uuid: event.data.endpoint_uuid,
          integration_uuid: integrationStream.match(record.stream)!,
          company_uuid: record.meta.company,
          url: event.data.url,
          event_types: event.data.event_types,
          enabled: event.data.enabled,
          disabled_reason: null,
          changed_by: actor,
          created_at: doc?.created_at ?? at,
          updated_at: at,
        };
      case 'WebhookEndpointDisabled':
        return doc
          ? {
              ...doc,
              enabled: false,
              disabled_reason: event.data.reason,
              changed_by: actor,
              updated_at: at,
            }
          : null;
      case 'WebhookEndpointRemoved':
        return null;
      default:
        return doc ?? null;
    }
  },
});
