import type { IntegrationEvent } from '../../domain/integration/events.js';
import { integrationStream } from '../../domain/integration/stream.js';
import { defineProjection } from '../projection.js';

export type WebhookEndpointDoc = {
  readonly endpoint_uuid: string;
  readonly integration_uuid: string;
  readonly company_uuid: string;
  readonly url: string;
  /** null: every type. */
  readonly event_types: readonly string[] | null;
  readonly enabled: boolean;
  /** Why Recado switched it off by itself; null when an operator did, or when it is on. */
  readonly disabled_reason: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

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
  name: 'webhook_endpoints',
  version: 1,
  indexes: {
    by_company: ['company_uuid', 'created_at'],
    by_integration: ['integration_uuid', 'created_at'],
  },
  handles: [
    'WebhookEndpointAdded',
    'WebhookEndpointChanged',
    'WebhookEndpointDisabled',
    'WebhookEndpointRemoved',
  ],
  documentId: ({ event }) => event.data.endpoint_uuid,
  evolve: (doc, { event, record }) => {
    const at = record.meta.occurred_at;
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
          created_at: doc?.created_at ?? at,
          updated_at: at,
        };
      case 'WebhookEndpointDisabled':
        return doc ? { ...doc, enabled: false, disabled_reason: event.data.reason, updated_at: at } : null;
      case 'WebhookEndpointRemoved':
        return null;
      default:
        return doc ?? null;
    }
  },
});
