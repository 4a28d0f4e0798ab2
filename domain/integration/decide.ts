import type { Aggregate, DecideContext } from '../kernel/decider.js';
import { entryOf } from '../kernel/entries.js';
import type { CompanyUuid } from '../kernel/ids.js';
import { Refusal } from '../kernel/refusal.js';
import { integrationStream } from '../streams.js';
import { integrationEvents, type IntegrationEvent } from './events.js';
import {
  MAX_EARLIER_SECRETS,
  evolveIntegration,
  initialIntegration,
  stillValid,
  type Integration,
  type WebhookEndpoint,
} from './state.js';

export type IntegrationCommand =
  | {
      readonly type: 'RegisterIntegration';
      readonly companyUuid: CompanyUuid;
      readonly name: string;
      readonly webhookSecretSealed: string;
    }
  | {
      readonly type: 'IssueApiKey';
      readonly keyId: string;
      readonly label: string;
      readonly scopes: readonly string[];
      readonly secretHash: string;
    }
  | { readonly type: 'RevokeApiKey'; readonly keyId: string }
  | {
      readonly type: 'AddWebhookEndpoint';
      readonly endpointUuid: string;
      readonly url: string;
      readonly eventTypes: readonly string[] | null;
      readonly enabled: boolean;
      /** Most endpoints that the integration may have. Left out: any number. */
      readonly limit?: number;
    }
  | {
      readonly type: 'ChangeWebhookEndpoint';
      readonly endpointUuid: string;
      readonly url?: string | undefined;
      readonly eventTypes?: readonly string[] | null | undefined;
      readonly enabled?: boolean | undefined;
    }
  | { readonly type: 'DisableWebhookEndpoint'; readonly endpointUuid: string; readonly reason: string }
  | { readonly type: 'RemoveWebhookEndpoint'; readonly endpointUuid: string }
  /** `graceSeconds` 0 drops the old secret at once, for a secret that leaked (spec §6.4 names 24 hours). */
  | { readonly type: 'RotateWebhookSecret'; readonly secretSealed: string; readonly graceSeconds: number }
  | { readonly type: 'TestWebhookEndpoint'; readonly endpointUuid: string; readonly testUuid: string }
  | { readonly type: 'SwitchEventFeed'; readonly on: boolean };

export function decideIntegration(
  command: IntegrationCommand,
  state: Integration,
  context: DecideContext,
): readonly IntegrationEvent[] {
  if (command.type === 'RegisterIntegration') {
    if (state.exists) return [];
    const { companyUuid, name, webhookSecretSealed } = command;
    return [
      {
        type: 'IntegrationRegistered',
        data: { company_uuid: companyUuid, name, webhook_secret_sealed: webhookSecretSealed },
      },
    ];
  }
  if (!state.exists)
    throw new Refusal('not_found', 'There is no such integration.', { resource: 'integration' });
  switch (command.type) {
    case 'IssueApiKey': {
      if (entryOf(state.keys, command.keyId)) return [];
      const { keyId, label, scopes, secretHash } = command;
      return [
        {
          type: 'ApiKeyIssued',
          data: { key_id: keyId, label, scopes: [...scopes], secret_hash: secretHash },
        },
      ];
    }
    case 'RevokeApiKey': {
      const key = entryOf(state.keys, command.keyId);
      if (!key) throw new Refusal('not_found', 'There is no such API key.', { resource: 'api_key' });
      return key.revoked ? [] : [{ type: 'ApiKeyRevoked', data: { key_id: key.keyId } }];
    }
    case 'AddWebhookEndpoint': {
      if (entryOf(state.endpoints, command.endpointUuid)) return [];
      const { endpointUuid, url, eventTypes, enabled, limit = Infinity } = command;
      if (Object.keys(state.endpoints).length >= limit) {
        throw new Refusal(
          'webhook_limit_reached',
          `An integration can have ${limit} webhook endpoints. Delete one that is no longer used, or change its address.`,
          { limit },
        );
      }
      return [
        { type: 'WebhookEndpointAdded', data: endpointData({ endpointUuid, url, eventTypes, enabled }) },
      ];
    }
    case 'ChangeWebhookEndpoint': {
      const endpoint = endpointOf(state, command.endpointUuid);
      const changed: WebhookEndpoint = {
        endpointUuid: endpoint.endpointUuid,
        url: command.url ?? endpoint.url,
        eventTypes: command.eventTypes === undefined ? endpoint.eventTypes : command.eventTypes,
        enabled: command.enabled ?? endpoint.enabled,
      };
      if (JSON.stringify(endpointData(changed)) === JSON.stringify(endpointData(endpoint))) return [];
      return [{ type: 'WebhookEndpointChanged', data: endpointData(changed) }];
    }
    case 'DisableWebhookEndpoint': {
      const endpoint = entryOf(state.endpoints, command.endpointUuid);
      if (!endpoint?.enabled) return [];
      const { endpointUuid, reason } = command;
      return [{ type: 'WebhookEndpointDisabled', data: { endpoint_uuid: endpointUuid, reason } }];
    }
    case 'RemoveWebhookEndpoint':
      if (!entryOf(state.endpoints, command.endpointUuid)) return [];
      return [{ type: 'WebhookEndpointRemoved', data: { endpoint_uuid: command.endpointUuid } }];
    case 'RotateWebhookSecret': {
      if (command.secretSealed === state.webhookSecretSealed) return [];
      const keepsOld = command.graceSeconds > 0;
      const valid = stillValid(state.earlierSecrets, context.now);
      if (keepsOld && valid.length >= MAX_EARLIER_SECRETS) {
        const ends = valid.map(({ expiresAt }) => Date.parse(expiresAt));
        const next = new Date(Math.min(...ends)).toISOString();
        throw new Refusal(
          'secret_rotation_limit_reached',
          `${MAX_EARLIER_SECRETS} earlier secrets still sign, and each stays valid until its own overlap ends. Rotate again after ${next}, or with grace_seconds 0, which drops all of them at once.`,
          { limit: MAX_EARLIER_SECRETS, possible_at: next },
        );
      }
      return [
        {
          type: 'WebhookSecretRotated',
          data: {
            secret_sealed: command.secretSealed,
            previous_secret_sealed: keepsOld ? state.webhookSecretSealed : null,
            previous_expires_at: keepsOld
              ? new Date(Date.parse(context.now) + command.graceSeconds * 1000).toISOString()
              : null,
          },
        },
      ];
    }
    case 'TestWebhookEndpoint':
      endpointOf(state, command.endpointUuid);
      if (state.lastTestUuid === command.testUuid) return [];
      return [
        {
          type: 'WebhookTestRequested',
          data: { endpoint_uuid: command.endpointUuid, test_uuid: command.testUuid },
        },
      ];
    case 'SwitchEventFeed':
      return state.eventFeed === command.on ? [] : [{ type: 'EventFeedSwitched', data: { on: command.on } }];
    default:
      return command satisfies never;
  }
}

function endpointOf(state: Integration, endpointUuid: string): WebhookEndpoint {
  const endpoint = entryOf(state.endpoints, endpointUuid);
  if (!endpoint)
    throw new Refusal('not_found', 'There is no such webhook endpoint.', { resource: 'webhook' });
  return endpoint;
}

function endpointData(endpoint: WebhookEndpoint) {
  return {
    endpoint_uuid: endpoint.endpointUuid,
    url: endpoint.url,
    event_types: endpoint.eventTypes === null ? null : [...endpoint.eventTypes],
    enabled: endpoint.enabled,
  };
}

export const integrationAggregate: Aggregate<
  Integration,
  IntegrationCommand,
  IntegrationEvent,
  'integration'
> = {
  stream: integrationStream,
  events: integrationEvents,
  initial: initialIntegration,
  decide: decideIntegration,
  evolve: evolveIntegration,
};
