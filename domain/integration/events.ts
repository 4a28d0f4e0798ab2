import { Type } from '@sinclair/typebox';
import { defineEvent, instant, nullable, uuid, type EventOf } from '../kernel/event.js';

const eventTypes = () => nullable(Type.Array(Type.String()));

export const integrationEvents = [
  defineEvent(
    'IntegrationRegistered',
    1,
    'An integration (a caller of the API with its own keys and webhooks) was created.',
    {
      company_uuid: uuid(),
      name: Type.String(),
      webhook_secret_sealed: Type.String(),
    },
  ),
  defineEvent(
    'ApiKeyIssued',
    1,
    'An API key was created. The key itself is shown once and stored only as a hash.',
    {
      key_id: Type.String(),
      label: Type.String(),
      scopes: Type.Array(Type.String()),
      secret_hash: Type.String(),
    },
  ),
  defineEvent('ApiKeyRevoked', 1, 'An API key was revoked.', { key_id: Type.String() }),
  defineEvent(
    'WebhookEndpointAdded',
    1,
    'An address was registered for the signed events of the integration.',
    {
      endpoint_uuid: uuid(),
      url: Type.String(),
      event_types: eventTypes(),
      enabled: Type.Boolean(),
    },
  ),
  defineEvent(
    'WebhookEndpointChanged',
    1,
    'The address, filter or switch of a webhook endpoint was changed; holds the new values.',
    {
      endpoint_uuid: uuid(),
      url: Type.String(),
      event_types: eventTypes(),
      enabled: Type.Boolean(),
    },
  ),
  defineEvent(
    'WebhookEndpointDisabled',
    1,
    'Recado itself disabled a webhook endpoint, for example after a 410.',
    {
      endpoint_uuid: uuid(),
      reason: Type.String(),
    },
  ),
  defineEvent('WebhookEndpointRemoved', 1, 'A webhook endpoint was removed.', { endpoint_uuid: uuid() }),
  defineEvent(
    'WebhookSecretRotated',
    1,
    'The signing secret was changed; until the expiry, deliveries carry both signatures.',
    {
      secret_sealed: Type.String(),
      previous_secret_sealed: nullable(Type.String()),
      previous_expires_at: nullable(instant()),
    },
  ),
  defineEvent('WebhookTestRequested', 1, 'Somebody requested a webhook.test event to one endpoint.', {
    endpoint_uuid: uuid(),
    test_uuid: uuid(),
  }),
  defineEvent(
    'EventFeedSwitched',
    1,
    'The events feed of the integration was switched on or off. Off, it still keeps events while there is an endpoint.',
    { on: Type.Boolean() },
  ),
] as const;

export type IntegrationEvent = EventOf<typeof integrationEvents>;
