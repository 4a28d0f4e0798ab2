import { entryOf, withEntry, withoutEntry } from '../kernel/entries.js';
import type { IntegrationEvent } from './events.js';

export interface ApiKey {
  readonly keyId: string;
  readonly scopes: readonly string[];
  readonly revoked: boolean;
}

export interface WebhookEndpoint {
  readonly endpointUuid: string;
  readonly url: string;
  /** Null: all event types. */
  readonly eventTypes: readonly string[] | null;
  readonly enabled: boolean;
}

export interface Integration {
  readonly exists: boolean;
  readonly companyUuid: string;
  readonly name: string;
  readonly keys: Readonly<Record<string, ApiKey>>;
  readonly endpoints: Readonly<Record<string, WebhookEndpoint>>;
  readonly webhookSecretSealed: string;
  readonly previousSecretSealed: string | null;
  readonly previousExpiresAt: string | null;
  readonly lastTestUuid: string | null;
  /** Keeps its events for the feed without an endpoint too. */
  readonly eventFeed: boolean;
}

export const initialIntegration: Integration = {
  exists: false,
  companyUuid: '',
  name: '',
  keys: {},
  endpoints: {},
  webhookSecretSealed: '',
  previousSecretSealed: null,
  previousExpiresAt: null,
  lastTestUuid: null,
  eventFeed: false,
};

export function evolveIntegration(state: Integration, event: IntegrationEvent): Integration {
  switch (event.type) {
    case 'IntegrationRegistered':
      return {
        ...state,
        exists: true,
        companyUuid: event.data.company_uuid,
        name: event.data.name,
        webhookSecretSealed: event.data.webhook_secret_sealed,
      };
    case 'ApiKeyIssued': {
      const key: ApiKey = { keyId: event.data.key_id, scopes: event.data.scopes, revoked: false };
      return { ...state, keys: withEntry(state.keys, key.keyId, key) };
    }
    case 'ApiKeyRevoked': {
      const key = entryOf(state.keys, event.data.key_id);
      return key ? { ...state, keys: withEntry(state.keys, key.keyId, { ...key, revoked: true }) } : state;
    }
    case 'WebhookEndpointAdded':
    case 'WebhookEndpointChanged': {
      const { endpoint_uuid, url, event_types, enabled } = event.data;
      const endpoint: WebhookEndpoint = {
        endpointUuid: endpoint_uuid,
        url,
        eventTypes: event_types,
        enabled,
      };
      return { ...state, endpoints: withEntry(state.endpoints, endpoint_uuid, endpoint) };
    }
    case 'WebhookEndpointDisabled': {
      const endpoint = entryOf(state.endpoints, event.data.endpoint_uuid);
      if (!endpoint) return state;
      return {
        ...state,
        endpoints: withEntry(state.endpoints, endpoint.endpointUuid, { ...endpoint, enabled: false }),
      };
    }
    case 'WebhookEndpointRemoved':
      return { ...state, endpoints: withoutEntry(state.endpoints, event.data.endpoint_uuid) };
    case 'WebhookSecretRotated':
      return {
        ...state,
        webhookSecretSealed: event.data.secret_sealed,
        previousSecretSealed: event.data.previous_secret_sealed,
        previousExpiresAt: event.data.previous_expires_at,
      };
    case 'WebhookTestRequested':
      return { ...state, lastTestUuid: event.data.test_uuid };
    case 'EventFeedSwitched':
      return { ...state, eventFeed: event.data.on };
    default:
      return state;
  }
}
