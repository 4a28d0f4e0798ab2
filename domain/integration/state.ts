import { entryOf, withEntry, withoutEntry } from '../kernel/entries.js';
import type { CompanyUuid } from '../kernel/ids.js';
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

/** A secret that was replaced, and signs until its own overlap ends. */
export interface EarlierSecret {
  readonly sealed: string;
  readonly expiresAt: string;
}

/** Secrets that sign beside the current one, at most. */
export const MAX_EARLIER_SECRETS = 3;

/** The longest overlap that a rotation may ask for. */
export const MAX_GRACE_SECONDS = 7 * 86_400;

/** Without those that surely ended: the rotation whose overlap ends at `expiresAt` was at most the longest one ago. */
const maybeValid = (secrets: readonly EarlierSecret[], expiresAt: string): readonly EarlierSecret[] => {
  const earliest = Date.parse(expiresAt) - MAX_GRACE_SECONDS * 1000;
  return secrets.filter((secret) => Date.parse(secret.expiresAt) > earliest);
};

/** Those whose overlap has not ended at a time, newest first. */
export const stillValid = <Secret extends { readonly expiresAt: string }>(
  secrets: readonly Secret[],
  now: string,
): readonly Secret[] => secrets.filter(({ expiresAt }) => Date.parse(expiresAt) > Date.parse(now));

export interface Integration {
  readonly exists: boolean;
  readonly companyUuid: CompanyUuid;
  readonly name: string;
  readonly keys: Readonly<Record<string, ApiKey>>;
  readonly endpoints: Readonly<Record<string, WebhookEndpoint>>;
  readonly webhookSecretSealed: string;
  /** Newest first. Some may have ended: see `stillValid`. */
  readonly earlierSecrets: readonly EarlierSecret[];
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
  earlierSecrets: [],
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
    case 'WebhookSecretRotated': {
      const { secret_sealed, previous_secret_sealed: sealed, previous_expires_at: expiresAt } = event.data;
      return {
        ...state,
        webhookSecretSealed: secret_sealed,
        // Without an overlap all of them end: one of them has leaked.
        earlierSecrets:
          sealed === null || expiresAt === null
            ? []
            : [{ sealed, expiresAt }, ...maybeValid(state.earlierSecrets, expiresAt)],
      };
    }
    case 'WebhookTestRequested':
      return { ...state, lastTestUuid: event.data.test_uuid };
    case 'EventFeedSwitched':
      return { ...state, eventFeed: event.data.on };
    default:
      return state;
  }
}
