import { exampleIds, type CommandExamples, type EventExamples } from './example.js';
import type { IntegrationCommand } from '../../../domain/integration/decide.js';
import type { IntegrationEvent } from '../../../domain/integration/events.js';

const keyId = 'k7f3q2';
const endpoint = {
  endpoint_uuid: exampleIds.endpoint,
  url: 'https://erp.example.com/recado',
  event_types: ['message.received', 'order.created'],
  enabled: true,
};

export const integrationEventExamples = {
  registered: {
    type: 'IntegrationRegistered',
    data: { company_uuid: exampleIds.company, name: 'ERP', webhook_secret_sealed: 'sealed:first' },
  },
  keyIssued: {
    type: 'ApiKeyIssued',
    data: {
      key_id: keyId,
      label: 'production',
      scopes: ['messages:send', 'contacts:read'],
      secret_hash: 'a'.repeat(64),
    },
  },
  keyRevoked: { type: 'ApiKeyRevoked', data: { key_id: keyId } },
  endpointAdded: { type: 'WebhookEndpointAdded', data: endpoint },
  endpointChanged: { type: 'WebhookEndpointChanged', data: { ...endpoint, event_types: null } },
  endpointDisabled: {
    type: 'WebhookEndpointDisabled',
    data: { endpoint_uuid: exampleIds.endpoint, reason: 'gone' },
  },
  endpointRemoved: { type: 'WebhookEndpointRemoved', data: { endpoint_uuid: exampleIds.endpoint } },
  secretRotated: {
    type: 'WebhookSecretRotated',
    data: {
      secret_sealed: 'sealed:second',
      previous_secret_sealed: 'sealed:first',
      previous_expires_at: '2026-03-03T12:00:00.000Z',
    },
  },
  testRequested: {
    type: 'WebhookTestRequested',
    data: { endpoint_uuid: exampleIds.endpoint, test_uuid: exampleIds.test },
  },
  feedSwitched: { type: 'EventFeedSwitched', data: { on: true } },
} satisfies EventExamples<IntegrationEvent>;

const { registered, keyIssued, endpointAdded } = integrationEventExamples;

export const integrationCommandExamples = {
  register: {
    given: [],
    command: {
      type: 'RegisterIntegration',
      companyUuid: exampleIds.company,
      name: 'ERP',
      webhookSecretSealed: 'sealed:first',
    },
  },
  issueKey: {
    given: [registered],
    command: {
      type: 'IssueApiKey',
      keyId,
      label: 'production',
      scopes: ['messages:send', 'contacts:read'],
      secretHash: 'a'.repeat(64),
    },
  },
  revokeKey: { given: [registered, keyIssued], command: { type: 'RevokeApiKey', keyId } },
  addEndpoint: {
    given: [registered],
    command: {
      type: 'AddWebhookEndpoint',
      endpointUuid: exampleIds.endpoint,
      url: endpoint.url,
      eventTypes: endpoint.event_types,
      enabled: true,
    },
  },
  subscribeToAll: {
    given: [registered, endpointAdded],
    command: { type: 'ChangeWebhookEndpoint', endpointUuid: exampleIds.endpoint, eventTypes: null },
  },
  disableEndpoint: {
    given: [registered, endpointAdded],
    command: { type: 'DisableWebhookEndpoint', endpointUuid: exampleIds.endpoint, reason: 'gone' },
  },
  removeEndpoint: {
    given: [registered, endpointAdded],
    command: { type: 'RemoveWebhookEndpoint', endpointUuid: exampleIds.endpoint },
  },
  rotateSecret: {
    given: [registered],
    command: { type: 'RotateWebhookSecret', secretSealed: 'sealed:second', graceSeconds: 86_400 },
  },
  testEndpoint: {
    given: [registered, endpointAdded],
    command: {
      type: 'TestWebhookEndpoint',
      endpointUuid: exampleIds.endpoint,
      testUuid: exampleIds.test,
    },
  },
  switchFeed: { given: [registered], command: { type: 'SwitchEventFeed', on: true } },
} satisfies CommandExamples<IntegrationEvent, IntegrationCommand>;
