import type { IntegrationEvent } from '../../domain/integration/events.js';
import { integrationStream } from '../../domain/integration/stream.js';
import { integrations as collection, type IntegrationDoc } from '../../read-models/integrations.js';
import { defineProjection } from '../projection.js';

export const integrations = defineProjection<IntegrationDoc, IntegrationEvent>({
  collection,
  handles: ['IntegrationRegistered', 'WebhookSecretRotated'],
  documentId: ({ record }) => integrationStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }, uuid) => {
    switch (event.type) {
      case 'IntegrationRegistered':
        return {
          uuid,
          company_uuid: event.data.company_uuid,
          name: event.data.name,
          webhook_secret_sealed: event.data.webhook_secret_sealed,
          previous_secret_sealed: null,
          previous_expires_at: null,
          created_at: record.meta.occurred_at,
        };
      case 'WebhookSecretRotated':
        return doc
          ? {
              ...doc,
              webhook_secret_sealed: event.data.secret_sealed,
              previous_secret_sealed: event.data.previous_secret_sealed,
              previous_expires_at: event.data.previous_expires_at,
            }
          : null;
      default:
        return doc ?? null;
    }
  },
});
