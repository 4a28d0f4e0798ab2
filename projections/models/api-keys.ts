import type { IntegrationEvent } from '../../domain/integration/events.js';
import { integrationStream } from '../../domain/streams.js';
import { apiKeys as collection, type ApiKeyDoc } from '../../read-models/api-keys.js';
import { defineProjection } from '../projection.js';

type Handled = Extract<IntegrationEvent, { type: 'ApiKeyIssued' | 'ApiKeyRevoked' }>;

export const apiKeys = defineProjection<ApiKeyDoc, Handled>({
  collection,
  handles: ['ApiKeyIssued', 'ApiKeyRevoked'],
  documentId: ({ event }) => event.data.key_id,
  evolve: (doc, { event, record }) => {
    switch (event.type) {
      case 'ApiKeyIssued':
        return {
          key_id: event.data.key_id,
          integration_uuid: integrationStream.match(record.stream)!,
          company_uuid: record.meta.company,
          label: event.data.label,
          scopes: event.data.scopes,
          secret_hash: event.data.secret_hash,
          created_at: record.meta.occurred_at,
          revoked_at: null,
        };
      case 'ApiKeyRevoked':
        return doc ? { ...doc, revoked_at: record.meta.occurred_at } : null;
      default:
        return doc ?? null;
    }
  },
});
