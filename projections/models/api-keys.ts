import type { IntegrationEvent } from '../../domain/integration/events.js';
import { integrationStream } from '../../domain/integration/stream.js';
import { defineProjection } from '../projection.js';

export type ApiKeyDoc = {
  readonly key_id: string;
  readonly integration_uuid: string;
  readonly company_uuid: string;
  readonly label: string;
  readonly scopes: readonly string[];
  /** Hex SHA-256 of the key's secret part. */
  readonly secret_hash: string;
  readonly created_at: string;
  readonly revoked_at: string | null;
};

type Handled = Extract<IntegrationEvent, { type: 'ApiKeyIssued' | 'ApiKeyRevoked' }>;

export const apiKeys = defineProjection<ApiKeyDoc, Handled>({
  name: 'api_keys',
  version: 1,
  indexes: { by_integration: ['integration_uuid', 'created_at'] },
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
